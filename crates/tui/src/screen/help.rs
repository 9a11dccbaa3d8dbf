//! All keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::look::{FAINT, STRONG};

/// Keys and what they do; a heading has no key.
const KEYS: [(&str, &str); 20] = [
    ("", "everywhere"),
    ("1 2 3 4 Tab", "cluster, jobs, queues, plan"),
    ("up down PgUp PgDn Home End", "select, or scroll a page (also j k g G)"),
    ("Enter, Esc", "open the selected job or queue, and back"),
    ("c  h  r", "cancel, hold or release the job, after a question"),
    ("/", "find jobs by words of any column"),
    ("Ctrl-L, Ctrl-Z", "draw anew, suspend"),
    ("q", "quit"),
    ("", "cluster"),
    ("m", "colour by state, activity, team, job"),
    ("+ - 0", "GPUs, nodes, racks …; 0: what there is room for"),
    ("[ ]", "scroll the picture"),
    ("", "jobs"),
    ("s  S", "sort by another column, reverse"),
    ("a", "running and waiting, running, waiting, ended"),
    ("", "funnel"),
    ("allocated", "GPUs that jobs hold"),
    ("active", "of all GPU time, what computed, as measured"),
    ("useful", "of that, what was not lost again"),
    ("", "any key closes this"),
];

/// Draws it.
pub(super) fn draw(area: Rect, buffer: &mut Buffer) {
    for ((key, what), row) in KEYS.iter().zip(area.rows()) {
        let line = match key.is_empty() {
            true => Line::styled(*what, FAINT),
            false => {
                Line::from(vec![Span::styled(format!("  {key:<28}"), STRONG), Span::raw(*what)])
            }
        };
        buffer.set_line(row.x, row.y, &line, row.width);
    }
}
