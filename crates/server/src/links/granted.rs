//! The longest lease that any agent may still hold, on disk: a server that is started with a
//! shorter one must wait for the longer ones of the one before it.

use muster_model::Millis;
use muster_store::{Access, Result as StoreResult};

/// The setting's name.
const KEY: &str = "lease-granted-ms";

/// Before leases of this length are granted: the longest that may be held from before, which is
/// this one or a longer one.
pub fn begin(access: &mut dyn Access, lease: Millis) -> StoreResult<Millis> {
    let before = access.setting(KEY)?.and_then(|text| text.parse().ok()).map_or(Millis(0), Millis);
    if lease > before {
        keep(access, lease)?;
    }
    Ok(lease.max(before))
}

/// Once all longer ones have ended: from now on no lease is longer than this.
pub fn keep(access: &mut dyn Access, lease: Millis) -> StoreResult<()> {
    access.setting_set(KEY, Some(&lease.0.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use muster_store::SqliteJournal;

    #[test]
    fn longer_lease_counts_at_every_start_until_it_has_surely_ended() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let begun = |lease| {
            let opened = SqliteJournal::open(folder.path()).expect("a journal");
            let mut access = opened.journal.access().expect("it is open for writing");
            (begin(&mut access, lease).expect("settings can be kept"), access)
        };
        let (long, short) = (Millis::seconds(60), Millis::seconds(10));
        assert_eq!(begun(long).0, long);
        assert_eq!(begun(short).0, long);
        let (granted, mut access) = begun(short);
        assert_eq!(granted, long, "a second restart does not shorten it");
        keep(&mut access, short).expect("settings can be kept");
        drop(access);
        assert_eq!(begun(short).0, short);
        assert_eq!(begun(long).0, long, "a longer one counts at once");
    }
}
