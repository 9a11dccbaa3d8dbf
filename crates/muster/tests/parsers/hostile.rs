//! Input that was made to break readers: deep, wide, long, and with characters nobody expects.

/// How deep.
const DEPTH: usize = 100_000;

/// How long, where something is long.
const LENGTH: usize = 10 * 1024 * 1024;

/// All of it, each with what it is.
pub(super) fn inputs() -> Vec<(&'static str, String)> {
    let deep = |open: &str, close: &str| open.repeat(DEPTH) + &close.repeat(DEPTH);
    let long = "x".repeat(LENGTH);
    let wide = format!("[{}0]", "0,".repeat(1_000_000));
    vec![
        ("nothing", String::new()),
        ("a NUL", "\0".to_owned()),
        ("a byte order mark", "\u{feff}".to_owned()),
        ("deep lists", deep("[", "]")),
        ("deep tables", deep("{\"a\":", "}")),
        ("deep lists in YAML", format!("env: {}", deep("- ", ""))),
        ("deep parentheses", deep("(", ")")),
        ("many signs", "!".repeat(DEPTH)),
        ("a bomb of anchors", bomb()),
        ("an anchor in itself", "a: &a [*a]\n".to_owned()),
        ("a long name", format!("name: {long}\ncommand: [a]\n")),
        ("a long name in TOML", format!("name = \"{long}\"\ncommand = [\"a\"]\n")),
        ("a long name in JSON", format!("{{\"name\": \"{long}\", \"command\": \"a\"}}")),
        ("a long word", long.clone()),
        ("a long number", "9".repeat(LENGTH)),
        ("a long key", format!("{long} = 1\n")),
        ("a dotted key", format!("{}a = 1\n", "a.".repeat(DEPTH))),
        ("many tables", "[[a]]\n".repeat(DEPTH)),
        ("a wide list", wide.clone()),
        ("an array of a million", format!("{{\"array\": {{\"indexes\": {wide}}}}}")),
        ("an array without end", "0-4294967295".to_owned()),
        ("arrays over and over", "0-999999,".repeat(1000)),
        ("a name that climbs", "name: ../../etc/passwd\ncommand: [a]\n".to_owned()),
        ("an output with a NUL", "{\"command\": \"a\", \"output\": \"a\\u0000b\"}".to_owned()),
        ("an unfinished text", "name: \"abc".to_owned()),
        ("many lines", "\n".repeat(1_000_000)),
        ("many columns", ",".repeat(1_000_000)),
    ]
}

/// A small document that would unfold to billions of words.
fn bomb() -> String {
    let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for (one, next) in ('a'..'j').zip('b'..'k') {
        let parts = vec![format!("*{one}"); 9].join(",");
        bomb += &format!("{next}: &{next} [{parts}]\n");
    }
    bomb
}
