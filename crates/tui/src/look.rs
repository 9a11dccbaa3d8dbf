//! What a terminal can show. Screens are drawn with colours and with signs beyond ASCII, and what
//! a terminal cannot show is taken out at the end, in one place.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Colours.
    pub colour: bool,
    /// Signs beyond ASCII.
    pub unicode: bool,
}

/// Headings and keys.
pub(crate) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
/// What is there to be read last.
pub(crate) const FAINT: Style = Style::new().fg(Color::DarkGray);
/// What is selected.
pub(crate) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);
/// As it should be.
pub(crate) const GOOD: Style = Style::new().fg(Color::Green);
/// Worth a look.
pub(crate) const CAREFUL: Style = Style::new().fg(Color::Yellow);
/// Wrong.
pub(crate) const BAD: Style = Style::new().fg(Color::Red);
/// Said about something that is under way.
pub(crate) const NEWS: Style = Style::new().fg(Color::Cyan);

/// Colours that tell things of one kind apart.
pub(crate) const APART: [Color; 12] = [
    Color::Cyan,
    Color::Yellow,
    Color::Green,
    Color::Magenta,
    Color::Blue,
    Color::LightRed,
    Color::LightCyan,
    Color::LightYellow,
    Color::LightGreen,
    Color::LightMagenta,
    Color::LightBlue,
    Color::Red,
];

impl Look {
    /// What the environment says: `NO_COLOR` as everybody reads it, and the language for signs.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Look {
        let said = |name: &str| variable(name).filter(|value| !value.is_empty());
        let colour = said("NO_COLOR").is_none() && said("TERM").is_none_or(|term| term != "dumb");
        let language = said("LC_ALL").or_else(|| said("LC_CTYPE")).or_else(|| said("LANG"));
        let unicode = language.is_some_and(|language| {
            let language = language.to_lowercase();
            language.contains("utf-8") || language.contains("utf8")
        });
        Look { colour, unicode }
    }

    /// Takes out what the terminal cannot show.
    pub(crate) fn limit(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            if !self.colour {
                (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
            }
            if !self.unicode && !cell.symbol().is_ascii() {
                let plain = ascii(cell.symbol());
                cell.set_char(plain);
            }
        }
    }
}

/// The nearest sign that every terminal has. Shades stay in their order.
fn ascii(symbol: &str) -> char {
    match symbol.chars().next().unwrap_or(' ') {
        '█' => '#',
        '▓' => '=',
        '▒' => '+',
        '░' => '-',
        '·' | '•' => '.',
        '▁' => '1',
        '▂' => '2',
        '▃' => '3',
        '▄' => '4',
        '▅' => '5',
        '▆' => '6',
        '▇' => '7',
        '…' => '~',
        '→' | '▸' => '>',
        '↑' => '^',
        '↓' => 'v',
        '│' => '|',
        '─' => '-',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(variables: &[(&str, &str)]) -> (bool, bool) {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        };
        let Look { colour, unicode } = Look::of(variable);
        (colour, unicode)
    }

    #[test]
    fn environment_says_what_a_terminal_can_show() {
        assert_eq!(look(&[("TERM", "xterm"), ("LANG", "en_GB.UTF-8")]), (true, true));
        assert_eq!(look(&[("NO_COLOR", "1"), ("LANG", "C.utf8")]), (false, true));
        assert_eq!(
            look(&[("NO_COLOR", ""), ("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")]),
            (true, false)
        );
        assert_eq!(look(&[("TERM", "dumb")]), (false, false));
    }
}
