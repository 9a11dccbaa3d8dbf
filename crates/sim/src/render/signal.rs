//! Signals by the names people use.

/// The signals that jobs are sent, by name and number as on Linux.
const SIGNALS: [(&str, u8); 9] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("TERM", 15),
    ("CONT", 18),
];

/// A signal's name; its number where it has none here.
pub fn name(signal: u8) -> String {
    let found = SIGNALS.iter().find(|&&(_, number)| number == signal);
    found.map_or_else(|| signal.to_string(), |(name, _)| (*name).to_owned())
}

/// The number of the signal with this name.
pub fn number(name: &str) -> Option<u8> {
    let bare = name.strip_prefix("SIG").unwrap_or(name);
    SIGNALS.iter().find(|(known, _)| *known == bare).map(|&(_, number)| number)
}

#[cfg(test)]
mod tests {
    use super::{name, number};

    #[test]
    fn names_and_numbers_lead_to_each_other() {
        assert_eq!(number(&name(12)), Some(12));
        assert_eq!(number("SIGUSR1"), Some(10));
        assert_eq!(number("BANG"), None);
    }

    #[test]
    fn signal_without_a_name_is_shown_by_its_number() {
        assert_eq!(name(40), "40");
    }
}
