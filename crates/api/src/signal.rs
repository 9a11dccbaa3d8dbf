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

/// The number of a signal by its name, with or without `SIG`, or by its number.
///
/// ```
/// use muster_api::signal;
///
/// assert_eq!(signal::number("SIGUSR1"), Some(10));
/// assert_eq!(signal::number("usr1"), Some(10));
/// assert_eq!(signal::number("12"), Some(12));
/// assert_eq!(signal::number("bang"), None);
/// assert_eq!(signal::name(15), "TERM");
/// ```
pub fn number(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (1..=64).contains(&number).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    SIGNALS.iter().find(|(known, _)| *known == bare).map(|&(_, number)| number)
}
