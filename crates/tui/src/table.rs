//! Tables on a screen: columns as wide as they need to be, the last with what is left.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::look::{CHOSEN, FAINT};
use crate::words;

/// Room between columns.
const GAP: usize = 2;

/// What the last column should have, as long as others can be left out for it.
const LAST_MIN: usize = 24;

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    title: &'static str,
    is_right: bool,
    width_max: usize,
    /// Left out where it is narrow: those with the most first. None: never.
    spare: u8,
}

impl Column {
    pub(crate) const fn new(title: &'static str) -> Column {
        Column { title, is_right: false, width_max: 24, spare: 0 }
    }

    /// Numbers.
    pub(crate) const fn right(mut self) -> Column {
        self.is_right = true;
        self
    }

    pub(crate) const fn most(mut self, width: usize) -> Column {
        self.width_max = width;
        self
    }

    pub(crate) const fn spare(mut self, rank: u8) -> Column {
        self.spare = rank;
        self
    }
}

/// A table with a row that may be selected.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    columns: &'a [Column],
    rows: Vec<Vec<Span<'a>>>,
    chosen: Option<usize>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(columns: &'a [Column]) -> Table<'a> {
        Table { columns, rows: Vec::new(), chosen: None }
    }

    pub(crate) fn row<const COLUMNS: usize>(&mut self, cells: [Span<'a>; COLUMNS]) {
        assert_eq!(COLUMNS, self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells.into());
    }

    pub(crate) fn choose(&mut self, chosen: Option<usize>) {
        self.chosen = chosen;
    }

    /// Draws as many rows as there is room for, around the selected one.
    pub(crate) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        if area.height == 0 {
            return;
        }
        let widths = self.widths(usize::from(area.width));
        let titles = self.columns.iter().map(|column| Span::styled(column.title, FAINT)).collect();
        let mut rows = area.rows();
        if let Some(row) = rows.next() {
            buffer.set_line(row.x, row.y, &self.line(&titles, &widths), row.width);
        }
        let height = usize::from(area.height) - 1;
        let first = first_shown(self.chosen, self.rows.len(), height);
        for ((place, cells), row) in self.rows.iter().enumerate().skip(first).zip(rows) {
            buffer.set_line(row.x, row.y, &self.line(cells, &widths), row.width);
            if self.chosen == Some(place) {
                buffer.set_style(row, CHOSEN);
            }
        }
    }

    /// How wide each column is; nothing for one that is left out.
    fn widths(&self, width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| column.title.len()).collect();
        for row in &self.rows {
            for ((width, cell), column) in widths.iter_mut().zip(row).zip(self.columns) {
                *width = cell.content.chars().count().min(column.width_max).max(*width);
            }
        }
        let Some(last) = widths.len().checked_sub(1) else { return widths };
        let mut ranks: Vec<(u8, usize)> =
            self.columns.iter().enumerate().map(|(place, column)| (column.spare, place)).collect();
        ranks.retain(|(rank, _)| *rank > 0);
        ranks.sort_unstable();
        let taken = |widths: &[usize]| -> usize {
            widths[..last].iter().filter(|width| **width > 0).map(|width| width + GAP).sum()
        };
        // Ends: each round takes a column out.
        while taken(&widths) + widths[last].min(LAST_MIN) > width {
            let Some((_, place)) = ranks.pop() else { break };
            widths[place] = 0;
        }
        widths[last] = width.saturating_sub(taken(&widths));
        widths
    }

    fn line<'b>(&self, cells: &'b Vec<Span<'a>>, widths: &[usize]) -> Line<'b> {
        let mut spans = Vec::with_capacity(cells.len() * 2);
        for (place, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if width == 0 {
                continue;
            }
            if !spans.is_empty() {
                spans.push(Span::raw(" ".repeat(GAP)));
            }
            let text = words::cut(&cell.content, width);
            let is_last = place + 1 == widths.len();
            let text = match (self.columns[place].is_right, is_last) {
                (true, _) => format!("{text:>width$}"),
                (false, false) => format!("{text:<width$}"),
                (false, true) => text,
            };
            spans.push(Span::styled(text, cell.style));
        }
        Line::from(spans)
    }
}

/// The first row to show so that the selected one is seen, with rows around it.
pub(crate) fn first_shown(chosen: Option<usize>, count: usize, height: usize) -> usize {
    let most = count.saturating_sub(height);
    chosen.map_or(0, |chosen| chosen.saturating_sub(height / 2).min(most))
}

/// Text of a cell without a style.
pub(crate) fn plain<'a>(text: impl Into<std::borrow::Cow<'a, str>>) -> Span<'a> {
    Span::raw(text)
}

/// Text of a cell with a style.
pub(crate) fn styled<'a>(text: impl Into<std::borrow::Cow<'a, str>>, style: Style) -> Span<'a> {
    Span::styled(text, style)
}
