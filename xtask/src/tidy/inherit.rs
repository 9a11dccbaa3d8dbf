//! Rule: versions and lints come from the root manifest, so that there is one place to look and no
//! crate escapes a lint by forgetting about it.

use super::Problem;
use super::manifest::Manifest;
use super::tree::{Tree, is_below};

/// Looks at every manifest but the root's. One that is not TOML is a matter for `layers`.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| is_manifest(path)) {
        let Ok(manifest) = Manifest::parse(text) else { continue };
        if !manifest.inherits_lints {
            let fix = "write `workspace = true` under `[lints]`";
            problems.push(Problem::new(path, 1, "lints of its own", fix));
        }
        for dependency in manifest.dependencies.iter().filter(|found| !found.is_inherited) {
            let what = format!("`{}` with a version of its own", dependency.package);
            let fix = "put the version in the root Cargo.toml and write `workspace = true` here";
            problems.push(Problem::new(path, dependency.line, what, fix));
        }
    }
    problems
}

fn is_manifest(path: &str) -> bool {
    path == "xtask/Cargo.toml" || (is_below(path, "crates") && path.ends_with("/Cargo.toml"))
}
