//! One reader under libFuzzer, chosen by `MUSTER_FUZZ`; its good inputs are put into the folder
//! `MUSTER_CORPUS` first. `cargo xtask fuzz` starts this.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/muster/tests/parsers/seeds.rs"]
mod seeds;
#[path = "../../crates/muster/tests/parsers/table.rs"]
mod table;

use table::{PARSERS, Parser};

static CHOSEN: OnceLock<Parser> = OnceLock::new();

fn choose() {
    let name = std::env::var("MUSTER_FUZZ").expect("`cargo xtask fuzz` says which reader");
    let found = PARSERS.into_iter().find(|parser| parser.name == name);
    let names = PARSERS.map(|parser| parser.name).join(", ");
    let parser = found.unwrap_or_else(|| panic!("there is no reader {name}; there are {names}"));
    if let Ok(folder) = std::env::var("MUSTER_CORPUS") {
        for (at, seed) in parser.seeds.iter().enumerate() {
            let path = std::path::Path::new(&folder).join(format!("seed-{at}"));
            std::fs::write(path, seed).expect("the folder is there");
        }
    }
    assert!(CHOSEN.set(parser).is_ok(), "a reader is chosen once");
}

fuzz_target!(init: choose(), |bytes: &[u8]| {
    (CHOSEN.get().expect("a reader is chosen").read)(bytes);
});
