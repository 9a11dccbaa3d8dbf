//! What no task could be started with, told when the job is submitted and not when it starts.

use muster_model::Invalid;
use muster_model::name::quoted;

use super::Program;
use crate::job_file::JOB_FILE_MAX;

/// The longest path that Linux opens.
const PATH_MAX: usize = 4095;

/// The longest argument that Linux passes on.
const WORD_MAX: usize = 128 * 1024 - 1;

/// All arguments and variables together: Linux passes on a quarter of the stack, 2 MiB as a rule,
/// and the task's own variables need room too.
const WORDS_MAX: usize = 1024 * 1024;

/// The largest file mask.
const UMASK_MAX: u32 = 0o777;

impl Program {
    /// Everything that is wrong with it.
    pub fn validate(&self) -> Result<(), Vec<Invalid>> {
        let mut wrong = Vec::new();
        for (index, word) in self.command.iter().enumerate() {
            check(&mut wrong, || format!("command[{index}]"), word, WORD_MAX);
        }
        if let Some(script) = &self.script {
            check(&mut wrong, || "script".to_owned(), script, JOB_FILE_MAX);
        }
        for (name, value) in &self.environment {
            if name.is_empty() || name.contains(['=', '\0']) {
                let allowed = "expected a name without `=` and without NUL characters";
                wrong.push(Invalid::new("environment", shown(name), allowed));
            }
            check(&mut wrong, || format!("environment.{}", shown(name)), value, WORD_MAX);
        }
        let paths = [
            ("directory", &self.directory),
            ("output", &self.output),
            ("error", &self.error),
            ("input", &self.input),
            ("image", &self.image),
        ];
        for (field, path) in paths {
            if let Some(path) = path {
                check(&mut wrong, || field.to_owned(), path, PATH_MAX);
            }
        }
        if let Some(container) = &self.container {
            wrong.extend(container.validate().err().into_iter().flatten());
        }
        let words = self.command.iter().map(String::len);
        let variables = self.environment.iter().map(|(name, value)| name.len() + value.len());
        let bytes: usize = words.chain(variables).sum();
        if bytes > WORDS_MAX {
            let allowed = format!("expected at most {WORDS_MAX} bytes with all variables");
            wrong.push(Invalid::new("command", format!("{bytes} bytes"), allowed));
        }
        if let Some(umask) = self.umask.filter(|umask| *umask > UMASK_MAX) {
            wrong.push(Invalid::new("umask", format!("{umask:o}"), "expected at most 777"));
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

fn check(wrong: &mut Vec<Invalid>, field: impl Fn() -> String, text: &str, most: usize) {
    if text.contains('\0') {
        wrong.push(Invalid::new(field(), shown(text), "expected no NUL character"));
    }
    if text.len() > most {
        let allowed = format!("expected at most {most} bytes");
        wrong.push(Invalid::new(field(), format!("{} bytes", text.len()), allowed));
    }
}

/// Text that can be printed: what would change a terminal is written out.
fn shown(text: &str) -> String {
    quoted(&text.escape_debug().to_string())
}

#[cfg(test)]
mod tests {
    use super::Program;

    fn fields(program: &Program) -> Vec<String> {
        let wrong = program.validate().err().unwrap_or_default();
        wrong.into_iter().map(|invalid| invalid.field).collect()
    }

    #[test]
    fn program_that_can_be_started_is_accepted() {
        let program = Program {
            command: vec!["true".to_owned()],
            environment: [("A".to_owned(), "x=y\n".to_owned())].into(),
            output: Some("../%x-%j.out".to_owned()),
            ..Program::default()
        };
        assert_eq!(program.validate(), Ok(()));
    }

    #[test]
    fn what_no_process_can_be_given_is_refused() {
        let program = Program {
            command: vec!["a\0b".to_owned(), "x".repeat(200_000)],
            environment: [("A=B".to_owned(), String::new()), ("C".to_owned(), "\0".to_owned())]
                .into(),
            output: Some("x".repeat(5000)),
            umask: Some(0o1000),
            ..Program::default()
        };
        let expected =
            ["command[0]", "command[1]", "environment", "environment.`C`", "output", "umask"];
        assert_eq!(fields(&program), expected);
    }

    #[test]
    fn arguments_that_are_too_many_together_are_refused() {
        let program = Program { command: vec!["x".repeat(1000); 2000], ..Program::default() };
        assert_eq!(fields(&program), ["command"]);
    }
}
