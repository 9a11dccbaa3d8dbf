//! Same journal, same bytes: a run repeated, or taken up from a snapshot anywhere, goes on exactly
//! as it did.

mod replay {
    mod journal;
    mod player;
    mod runs;
    mod wire;
}
