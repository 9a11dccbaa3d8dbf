//! A case: a piece of shell, and how its output is made comparable.

use std::path::Path;
use std::process::{Command, Stdio};

/// Longer than any case takes; one that hangs is told by name.
const PATIENCE_S: &str = "150";

/// One case.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    body: String,
}

/// The variables by which a cluster is found.
pub(crate) type Environment = Vec<(String, String)>;

/// All cases there are.
pub(crate) fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/cases");
    let files = std::fs::read_dir(&folder).expect("the cases are in the repository");
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|it| it == "sh")) {
        let text = std::fs::read_to_string(path).expect("a case is text");
        let theme = path.file_stem().and_then(|stem| stem.to_str()).expect("its name is text");
        for part in text.split("\n### ").skip(1) {
            let (name, body) = part.split_once('\n').expect("a case has lines after its name");
            cases.push(Case { name: format!("{theme}: {name}"), body: body.to_owned() });
        }
    }
    cases
}

impl Case {
    /// Runs the case in a folder of its own, and returns what it printed and how it ended, with
    /// numbers of jobs and names of folders in words.
    pub(crate) fn run(&self, environment: &Environment, folder: &Path) -> Vec<String> {
        let work = tempfile::Builder::new().prefix("case-").tempdir_in(folder);
        let work = work.expect("the folder is ours");
        let prelude = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/prelude.sh");
        let text = format!(". {}\n{}", prelude.display(), self.body);
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", PATIENCE_S, "bash", "-c", &text]);
        command.env_clear().envs(environment.iter().cloned());
        command.env("HOME", "/root").env("USER", "root").env("LANG", "C.UTF-8").env("TZ", "UTC");
        command.current_dir(work.path()).stdin(Stdio::null());
        let output = command.output().expect("bash starts");
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        text.push_str(&format!("exit {}\n", output.status.code().unwrap_or(-1)));
        let ids = std::fs::read_to_string(work.path().join(".ids")).unwrap_or_default();
        for (index, id) in ids.lines().enumerate() {
            text = with_word(&text, id, &format!("J{}", index + 1));
        }
        let text = text.replace(&work.path().display().to_string(), "WORK");
        text.lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// A text with a number replaced where it stands alone, at the width it had.
fn with_word(text: &str, number: &str, word: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(number) {
        let (before, after) = (&rest[..at], &rest[at + number.len()..]);
        let is_digit = |letter: Option<char>| letter.is_some_and(|it| it.is_ascii_digit());
        let is_alone = !is_digit(before.chars().next_back()) && !is_digit(after.chars().next());
        replaced.push_str(before);
        replaced.push_str(if is_alone { word } else { number });
        rest = after;
    }
    replaced + rest
}
