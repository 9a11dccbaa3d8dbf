//! Signals by the names people use.

/// The signals of Linux that have a name and can be sent, by name and number.
const SIGNALS: [(&str, u8); 20] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("ABRT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("CHLD", 17),
    ("CONT", 18),
    ("STOP", 19),
    ("TSTP", 20),
    ("URG", 23),
    ("WINCH", 28),
];

/// A signal's name without `SIG`; its number where it has none here.
pub fn name(signal: u8) -> String {
    let found = SIGNALS.iter().find(|&&(_, number)| number == signal);
    found.map_or_else(|| signal.to_string(), |(name, _)| (*name).to_owned())
}

/// The number of the signal with this name, in capitals, with or without `SIG`.
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
    fn names_are_read_in_capitals_only() {
        assert_eq!([number("usr1"), number("10"), number("")], [None; 3]);
    }

    #[test]
    fn signal_without_a_name_is_shown_by_its_number() {
        assert_eq!(name(40), "40");
    }
}
