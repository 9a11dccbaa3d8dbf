//! As much of a terminal as it takes to see what a program has drawn.

/// Letters in rows, and where the next one goes.
pub(crate) struct Screen {
    rows: Vec<Vec<char>>,
    at: (usize, usize),
    rest: Vec<u8>,
    was_entered: bool,
    is_entered: bool,
    is_cursor_hidden: bool,
}

impl Screen {
    pub(crate) fn new(size: (u16, u16)) -> Screen {
        let mut screen = Screen {
            rows: Vec::new(),
            at: (0, 0),
            rest: Vec::new(),
            was_entered: false,
            is_entered: false,
            is_cursor_hidden: false,
        };
        screen.resize(size);
        screen
    }

    /// Becomes empty in another size, as if everything were drawn anew.
    pub(crate) fn resize(&mut self, (width, height): (u16, u16)) {
        self.rows = vec![vec![' '; width.into()]; height.into()];
    }

    /// Whether the second screen was entered and left again, and the cursor is to be seen.
    pub(crate) fn is_left(&self) -> bool {
        self.was_entered && !self.is_entered && !self.is_cursor_hidden
    }

    pub(crate) fn text(&self) -> String {
        let line = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_owned();
        self.rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Takes what a program writes, however it is cut.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.rest.extend(bytes);
        // Ends: each round takes something off the rest, or stops.
        while let Some(taken) = self.take() {
            self.rest.drain(..taken);
        }
    }

    /// Takes one letter or one command; how long it was. Nothing where it is not whole yet.
    fn take(&mut self) -> Option<usize> {
        let rest = &self.rest;
        if rest.first() != Some(&0x1b) {
            let length = match rest.first()? {
                0..0x80 => 1,
                0..0xe0 => 2,
                0..0xf0 => 3,
                _ => 4,
            };
            let letter = std::str::from_utf8(rest.get(..length)?).expect("it writes UTF-8");
            let letter = letter.chars().next().expect("it is one");
            self.put(letter);
            return Some(length);
        }
        // `ESC [ parameters letter`, or `ESC letter`.
        if *rest.get(1)? != b'[' {
            return Some(2);
        }
        let length = 3 + rest[2..].iter().position(u8::is_ascii_alphabetic)?;
        let what = String::from_utf8_lossy(&rest[2..length]).into_owned();
        self.obey(&what);
        Some(length)
    }

    fn put(&mut self, letter: char) {
        let (row, column) = self.at;
        match letter {
            '\r' => self.at.1 = 0,
            '\n' => self.at.0 += 1,
            _ => {
                if let Some(place) = self.rows.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *place = letter;
                }
                self.at.1 += 1;
            }
        }
    }

    fn obey(&mut self, what: &str) {
        match what {
            "2J" => self.rows.iter_mut().for_each(|row| row.fill(' ')),
            "?1049h" => (self.was_entered, self.is_entered) = (true, true),
            "?1049l" => self.is_entered = false,
            "?25l" => self.is_cursor_hidden = true,
            "?25h" => self.is_cursor_hidden = false,
            _ => {
                let Some(to) = what.strip_suffix('H') else { return };
                let mut numbers = to.split(';').map(|number| number.parse().unwrap_or(1));
                let mut next = || numbers.next().unwrap_or(1_usize).saturating_sub(1);
                self.at = (next(), next());
            }
        }
    }
}
