//! Cuts a stream of bytes into lines, with a bound on each.

/// The longest line: a gang of thousands of tasks with a large environment stays far below.
const LINE_MAX: usize = 64 << 20;

/// What has arrived of a line.
#[derive(Debug, Default)]
pub(super) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    /// Takes in what arrived and returns the lines it completes; nothing if one is too long.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.rest.extend_from_slice(part);
            if self.rest.last() == Some(&b'\n') {
                self.rest.pop();
                let line = std::mem::take(&mut self.rest);
                lines.extend((!line.is_empty()).then_some(line));
            }
        }
        (self.rest.len() <= LINE_MAX).then_some(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_come_whole_however_they_arrive() {
        let mut lines = Lines::default();
        let text = b"one\n\ntwo\nthree\n";
        for size in 1..text.len() {
            let all: Vec<Vec<u8>> =
                text.chunks(size).flat_map(|part| lines.take(part).unwrap()).collect();
            assert_eq!(all, [b"one".to_vec(), b"two".to_vec(), b"three".to_vec()]);
        }
    }

    #[test]
    fn a_line_without_an_end_is_given_up() {
        let mut lines = Lines::default();
        let part = vec![b'x'; super::LINE_MAX / 2 + 1];
        assert!(lines.take(&part).is_some());
        assert!(lines.take(&part).is_none());
    }
}
