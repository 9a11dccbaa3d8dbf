//! Rule: crates depend only on lower layers, and the pure ones only on a short list of others.
//! The table of layers is here; `ARCHITECTURE.md` draws the same picture for people.

use super::Problem;
use super::banned::PURE_CRATES;
use super::manifest::{Dependency, Kind, Manifest};
use super::tree::Tree;

/// Every crate by its folder under `crates/`, with its layer.
const LAYERS: [(&str, u8); 17] = [
    ("model", 0),
    ("engine", 1),
    ("predict", 1),
    ("slurm", 1),
    ("trace", 2),
    ("checker", 2),
    ("sim", 3),
    ("api", 4),
    ("store", 4),
    ("gpu", 4),
    ("client", 5),
    ("web", 5),
    ("server", 6),
    ("agent", 6),
    ("kube", 6),
    ("tui", 6),
    ("muster", 7),
];

/// The crates from outside that a pure crate may use: data shapes and collections, no effects.
const PURE_MAY_USE: [&str; 6] =
    ["serde", "thiserror", "indexmap", "smallvec", "fixedbitset", "rustc-hash"];

/// What the words may use besides, as an option that the edges ask for: it describes the types
/// for documents and adds nothing to what they do.
const DESCRIBED_BY: (&str, &str) = ("model", "utoipa");

/// The one test-only dependency that may point up: the engine's tests call the independent judge.
const UPWARD_IN_TESTS: (&str, &str) = ("engine", "checker");

/// Looks at every manifest under `crates/`.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.texts() {
        if let Some(folder) = crate_folder(path) {
            check_manifest(path, folder, text, &mut problems);
        }
    }
    problems
}

/// The folder name in `crates/NAME/Cargo.toml`.
fn crate_folder(path: &str) -> Option<&str> {
    let folder = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
    (!folder.contains('/')).then_some(folder)
}

fn check_manifest(path: &str, folder: &str, text: &str, problems: &mut Vec<Problem>) {
    let Some(layer) = layer_of(folder) else {
        let what = format!("crate `{folder}` has no layer");
        problems.push(Problem::new(path, 1, what, add_to_table(folder)));
        return;
    };
    let manifest = match Manifest::parse(text) {
        Ok(manifest) => manifest,
        Err(message) => {
            let what = format!("the manifest is not TOML ({message})");
            problems.push(Problem::new(path, 1, what, "mend it so that cargo can read it"));
            return;
        }
    };
    let wanted = package_name(folder);
    if manifest.package.as_deref() != Some(wanted.as_str()) {
        let what = format!("the package in crates/{folder} is not named `{wanted}`");
        problems.push(Problem::new(path, 1, what, "rename the package or the folder"));
    }
    for dependency in &manifest.dependencies {
        if let Some((what, fix)) = complaint(folder, layer, dependency) {
            problems.push(Problem::new(path, dependency.line, what, fix));
        }
    }
}

/// What is wrong with one dependency, if anything.
fn complaint(folder: &str, layer: u8, dependency: &Dependency) -> Option<(String, String)> {
    let package = &dependency.package;
    let Some(target) = own_folder(package) else {
        let is_pure = PURE_CRATES.contains(&folder) && dependency.kind == Kind::Normal;
        let is_described = dependency.is_optional && (folder, package.as_str()) == DESCRIBED_BY;
        if !is_pure || is_described || PURE_MAY_USE.contains(&package.as_str()) {
            return None;
        }
        let fix =
            format!("do without it, or move the code up; allowed: {}", PURE_MAY_USE.join(", "));
        return Some((format!("pure crate `{folder}` depends on `{package}`"), fix));
    };
    let Some(target_layer) = layer_of(target) else {
        return Some((format!("`{package}` has no layer"), add_to_table(target)));
    };
    let is_excused = dependency.kind == Kind::Test && (folder, target) == UPWARD_IN_TESTS;
    if target_layer < layer || is_excused {
        return None;
    }
    let what = format!("layer {layer} `{folder}` depends on layer {target_layer} `{target}`");
    Some((what, "an arrow may only point down: move the shared part to a lower crate".to_owned()))
}

fn layer_of(folder: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == folder).map(|&(_, layer)| layer)
}

fn add_to_table(folder: &str) -> String {
    format!("add `{folder}` to the table in xtask/src/tidy/layers.rs and to ARCHITECTURE.md")
}

fn package_name(folder: &str) -> String {
    if folder == "muster" { folder.to_owned() } else { format!("muster-{folder}") }
}

/// The folder of one of our own packages.
fn own_folder(package: &str) -> Option<&str> {
    if package == "muster" { Some(package) } else { package.strip_prefix("muster-") }
}
