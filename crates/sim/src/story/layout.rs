//! The page of a story: text for people at the left edge, commands indented by four spaces, a
//! command's further lines by eight, and what it is expected to print after `>`.

use muster_model::Policy;

use super::act::Act;
use super::parse;
use super::words::{Parsed, Problem};

/// Where a command begins.
const COMMAND: usize = 4;

/// Where a further line of a command begins.
const FURTHER: usize = 8;

/// What stands before a line that a command prints.
const PRINTED: &str = "      > ";

/// A line of text for people, or a command with its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Prose(String),
    Step(Box<Step>),
}

/// A command of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Where it begins, counted from 1.
    pub(super) line: usize,
    /// Its lines as written.
    pub(super) written: Vec<String>,
    pub(super) act: Act,
    /// What it should print.
    pub(super) expected: Vec<String>,
}

/// Reads a page; an error comes with its line.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, (usize, Problem)> {
    let mut page = Page { parts: Vec::new(), policy: Policy::default() };
    let mut lines = text.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let mut further = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| is_further(line)) {
            further.push(line);
        }
        page.add(index + 1, line, &further).map_err(|problem| (index + 1, problem))?;
    }
    Ok(page.parts)
}

/// The page again, each command followed by what it printed.
pub(super) fn rewritten<'a>(
    parts: &'a [Part],
    mut printed: impl FnMut(&'a Step) -> Vec<String>,
) -> String {
    let mut page = String::new();
    let mut add = |line: &str| {
        page.push_str(line);
        page.push('\n');
    };
    for part in parts {
        match part {
            Part::Prose(line) => add(line),
            Part::Step(step) => {
                step.written.iter().for_each(|line| add(line));
                for line in printed(step) {
                    add(format!("{PRINTED}{line}").trim_end());
                }
            }
        }
    }
    page
}

struct Page {
    parts: Vec<Part>,
    policy: Policy,
}

impl Page {
    fn add(&mut self, number: usize, line: &str, further: &[&str]) -> Parsed<()> {
        let indent = line.len() - line.trim_start().len();
        let content = line.trim();
        if line.trim_start_matches(' ').starts_with('\t') {
            return Err(Problem::new("expected spaces, but found a tab"));
        }
        if content.starts_with('>') {
            return self.expected(indent, content);
        }
        match indent {
            _ if content.is_empty() => self.parts.push(Part::Prose(String::new())),
            0 => self.prose(line)?,
            COMMAND => self.command(number, line, further)?,
            _ => {
                return Err(Problem::new(format!(
                    "expected text at the left edge, a command after {COMMAND} spaces or its \
                     further lines after {FURTHER}, but found {indent}"
                )));
            }
        }
        Ok(())
    }

    /// Text for people. A line that is a command but for its indent was meant as one.
    fn prose(&mut self, line: &str) -> Parsed<()> {
        if parse::command(line, &mut self.policy.clone()).is_ok() {
            let what = format!("expected {COMMAND} spaces before a command");
            return Err(Problem { what, meant: Some(format!("    {}", line.trim())) });
        }
        self.parts.push(Part::Prose(line.trim_end().to_owned()));
        Ok(())
    }

    fn command(&mut self, line: usize, first: &str, further: &[&str]) -> Parsed<()> {
        let mut written = vec![first.trim_end().to_owned()];
        let mut text = first.trim().to_owned();
        for line in further {
            written.push(line.trim_end().to_owned());
            text.push(' ');
            text.push_str(line.trim());
        }
        let act = parse::command(&text, &mut self.policy)?;
        let step = Step { line, written, act, expected: Vec::new() };
        self.parts.push(Part::Step(Box::new(step)));
        Ok(())
    }

    fn expected(&mut self, indent: usize, content: &str) -> Parsed<()> {
        let Some(Part::Step(step)) = self.parts.last_mut() else {
            return Err(Problem::new("expected a command just above the line it prints"));
        };
        if indent < COMMAND {
            return Err(Problem::new(format!("expected `{PRINTED}` before a printed line")));
        }
        let printed = content.strip_prefix("> ").or(content.strip_prefix('>'));
        step.expected.push(printed.expect("the line begins with `>`").to_owned());
        Ok(())
    }
}

fn is_further(line: &str) -> bool {
    let indent = line.len() - line.trim_start().len();
    indent == FURTHER && !line.trim().starts_with('>') && !line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::{Part, parts, rewritten};

    #[test]
    fn text_at_the_edge_is_for_people_and_indented_lines_are_commands() {
        let parts = parts("# Title\n\nOnce upon a time.\n\n    tick\n      > hello\n").unwrap();
        let Some(Part::Step(step)) = parts.last() else { panic!("{parts:?}") };
        assert_eq!((step.line, step.expected.as_slice()), (5, &["hello".to_owned()][..]));
        assert_eq!(parts.len(), 5);
    }

    #[test]
    fn command_goes_on_where_the_next_line_is_indented_further() {
        let parts = parts("    cancel 1\n        2\n        3\n").unwrap();
        assert_eq!(parts.len(), 1);
    }

    #[test]
    fn command_that_is_not_indented_is_not_taken_for_text() {
        let (line, problem) = parts("Some text.\ntick\n").unwrap_err();
        assert_eq!((line, problem.meant.as_deref()), (2, Some("    tick")));
    }

    #[test]
    fn printed_line_needs_its_command_just_above() {
        let (line, problem) = parts("    tick\n\n      > hello\n").unwrap_err();
        assert_eq!(line, 3);
        assert!(problem.what.contains("just above"), "{}", problem.what);
    }

    #[test]
    fn page_is_rewritten_with_new_printed_lines_and_nothing_else_changed() {
        let page = "# Title\n\n    cancel 1\n        2\n      > old\n\nThe end.\n";
        let parts = parts(page).unwrap();
        let rewritten = rewritten(&parts, |_| vec!["new".to_owned(), "newer".to_owned()]);
        assert_eq!(rewritten, page.replace("> old", "> new\n      > newer"));
    }
}
