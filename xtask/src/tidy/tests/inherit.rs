//! Inheritance: versions and lints of the root manifest.

use super::{found, passes};
use crate::tidy::inherit::check;

const LINTS: &str = "[lints]\nworkspace = true\n";

#[test]
fn a_manifest_that_takes_everything_from_the_root_passes() {
    let text = format!(
        "[dependencies]\nserde.workspace = true\n\
         clap = {{ workspace = true, features = [\"env\"] }}\n\
         [dependencies.toml]\nworkspace = true\n{LINTS}"
    );
    let root = "[workspace.dependencies]\nserde = \"1\"\n";
    passes(check, &[("Cargo.toml", root), ("crates/api/Cargo.toml", &text)]);
}

#[test]
fn a_version_of_its_own_fails_in_every_section_at_its_line() {
    let text = format!(
        "[dependencies]\nserde.workspace = true\n[dev-dependencies]\ninsta = \"1\"\n\
         [target.'cfg(unix)'.dependencies]\nrustix = {{ version = \"1\" }}\n\
         [build-dependencies.cc]\nversion = \"1\"\n{LINTS}"
    );
    assert_eq!(
        found(check, &[("crates/api/Cargo.toml", &text)]),
        [
            "crates/api/Cargo.toml:4: `insta` with a version of its own",
            "crates/api/Cargo.toml:6: `rustix` with a version of its own",
            "crates/api/Cargo.toml:7: `cc` with a version of its own",
        ]
    );
}

#[test]
fn a_manifest_without_the_lints_of_the_root_fails() {
    for text in ["", "[lints.rust]\nunsafe_code = \"allow\"\n", "[lints]\nworkspace = false\n"] {
        let want = ["xtask/Cargo.toml:1: lints of its own"];
        assert_eq!(found(check, &[("xtask/Cargo.toml", text)]), want, "{text}");
    }
}
