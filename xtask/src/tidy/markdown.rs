//! Markdown as far as the links rule needs it: where links point, and which anchors a page has.
//! Code, in fences or between backticks, holds neither.

use std::collections::BTreeMap;

/// A link's target as written, and the index of its line.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Link {
    pub(crate) line: usize,
    pub(crate) target: String,
}

/// Every link of a page: inline, by reference definition, and in HTML attributes.
pub(crate) fn links(page: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, text) in prose(page) {
        let text = without_code(text);
        let inline = text.split("](").skip(1).filter_map(inline_target);
        let attributes = ["src=\"", "href=\""].into_iter().flat_map(|opening| {
            text.split(opening).skip(1).filter_map(|rest| rest.split('"').next())
        });
        let targets = inline.chain(attributes).chain(definition(&text));
        links.extend(targets.map(|target| Link { line, target: target.to_owned() }));
    }
    links
}

/// Every anchor of a page: its headings as hosts of Git repositories write them.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = Vec::new();
    for (_, text) in prose(page) {
        let title = text.trim_start_matches('#');
        let level = text.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let slug = slug(title.trim());
        let times = seen.entry(slug.clone()).or_insert(0);
        anchors.push(if *times == 0 { slug } else { format!("{slug}-{times}") });
        *times += 1;
    }
    anchors
}

/// Lower case, spaces as hyphens, everything else that is not a letter or digit gone.
fn slug(title: &str) -> String {
    title
        .chars()
        .filter(|&c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .flat_map(char::to_lowercase)
        .collect()
}

/// The lines outside code fences with their indexes.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    page.lines().enumerate().filter(move |(_, line)| {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => return true,
            (Some(_), _) => {}
        }
        false
    })
}

/// The line without what stands between backticks; an unpaired backtick changes nothing.
fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let is_paired = parts.len() % 2 == 1;
    let keep = |index: &usize| index.is_multiple_of(2) || (!is_paired && *index == parts.len() - 1);
    parts.iter().enumerate().filter(|(index, _)| keep(index)).map(|(_, part)| *part).collect()
}

/// The target in `target)`, `<target>)` or `target "title")`.
fn inline_target(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    if let Some(bracketed) = rest.strip_prefix('<') {
        return bracketed.split_once('>').map(|(target, _)| target);
    }
    rest.split([')', ' ']).next()
}

/// The target of a reference definition `[name]: target`.
fn definition(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    rest.split_whitespace().next().map(|target| target.trim_matches(['<', '>']))
}

#[cfg(test)]
mod tests {
    use super::{anchors, links};

    fn targets(page: &str) -> Vec<String> {
        links(page).into_iter().map(|link| link.target).collect()
    }

    #[test]
    fn links_of_every_form_are_found() {
        let page = "see [a](a.md), ![b](<b c.svg>) and [c](c.md \"title\")\n\
                    [d]: d.md\n<img src=\"e.svg\"> <a href=\"f.md\">f</a>";
        assert_eq!(targets(page), ["a.md", "b c.svg", "c.md", "d.md", "e.svg", "f.md"]);
    }

    #[test]
    fn code_holds_no_links_and_no_headings() {
        let page = "`[a](a.md)` [b](b.md)\n```\n[c](c.md)\n# not a heading\n```\n[d](d.md)";
        assert_eq!(targets(page), ["b.md", "d.md"]);
        assert!(anchors(page).is_empty());
    }

    #[test]
    fn headings_become_anchors_and_repeated_ones_are_numbered() {
        let page = "# The Path of a `job`\n## Why?\n## Why?\n####### seven\n#none";
        assert_eq!(anchors(page), ["the-path-of-a-job", "why", "why-1"]);
    }
}
