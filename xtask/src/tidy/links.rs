//! Rule: every relative link in a page points to something in the tree, and its anchor to a
//! heading. Links to other hosts are not followed: a test must not depend on the network.

use super::Problem;
use super::markdown;
use super::tree::{Tree, folder_of};

const FIX: &str = "mend the link or remove it";

/// Looks at every page.
pub(crate) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, page) in tree.texts().filter(|(path, _)| path.ends_with(".md")) {
        for link in markdown::links(page) {
            if let Some(what) = complaint(tree, path, &link.target) {
                problems.push(Problem::new(path, link.line + 1, what, FIX));
            }
        }
    }
    problems
}

/// What is wrong with a link of the page at `path`, if anything.
fn complaint(tree: &Tree, path: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = match target.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let goal = match file {
        "" => path.to_owned(),
        _ => match resolve(folder_of(path), file) {
            Some(goal) => goal,
            None => return Some(format!("`{target}` leads out of the repository")),
        },
    };
    if !tree.has_file(&goal) && !tree.has_folder(&goal) {
        return Some(format!("dead link `{target}`"));
    }
    let page = tree.text(&goal).filter(|_| goal.ends_with(".md"))?;
    let anchor = anchor?;
    let exists = markdown::anchors(page).iter().any(|known| known == anchor);
    (!exists).then(|| format!("no heading `#{anchor}` in {goal}"))
}

/// The path a link means, seen from the folder of its page.
fn resolve(folder: &str, link: &str) -> Option<String> {
    if link.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
