//! The order of the nodes of a job that holds its places: by name, as people read them. Its places
//! are alike to it, and whoever has shell loops over node lists expects them sorted.

use muster_model::{JobId, NodeId};

use super::Control;

impl Control {
    /// Puts the nodes of a job that was launched into their order.
    pub(super) fn order_nodes(&mut self, job: JobId) {
        let Some(known) = self.book.get(job) else { return };
        if self.book.submitted(known).program.runs.is_everywhere() {
            return;
        }
        let nodes = self.by_name(known.places.keys().copied().collect());
        if let Some(known) = self.book.get_mut(job) {
            known.order = nodes;
        }
    }

    /// Nodes in the order in which people read their names.
    pub(super) fn by_name(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        nodes.sort_by_cached_key(|node| natural(self.node_name(*node).as_str()));
        nodes
    }
}

/// A name as a list of words and numbers, so that `n10` comes after `n9`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let word_ends = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word_ends);
        let is_word = |letter: char| !letter.is_ascii_digit();
        let (number, after) = after.split_at(after.find(is_word).unwrap_or(after.len()));
        parts.push((word.to_owned(), number.parse().unwrap_or(0)));
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::natural;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names =
            ["n10", "n9", "gpu-a2", "gpu-a10b1", "gpu-a10", "n", "99999999999999999999"];
        names.sort_by_cached_key(|name| natural(name));
        let expected = ["99999999999999999999", "gpu-a2", "gpu-a10", "gpu-a10b1", "n", "n9", "n10"];
        assert_eq!(names, expected);
    }
}
