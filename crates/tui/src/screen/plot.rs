//! The picture of the cluster as letters. The same drawing serves every depth: one sign for each
//! GPU of a node, each node of a rack, each rack of a block.
//!
//! A *cell* is one sign, a *tile* the cells of what holds them, a *group* the tiles of what holds
//! those. At the deepest these are GPUs, nodes, and the narrowest domains.

use muster_api::view::{JobState, MapNode, MapView, NodeState};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::words;
use crate::look::{FAINT, STRONG};

/// Room between tiles.
const GAP: usize = 2;

/// Letters of a tile's name.
const NAME_MAX: usize = 16;

/// Something that keeps a GPU from being used, the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trouble {
    #[default]
    None,
    Drained,
    Unhealthy,
    Unseen,
    Gone,
}

/// One sign: a GPU, or all GPUs of a node or a domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) gpus: u64,
    pub(super) used_milli: u64,
    /// How busy what is used was, each thousandth of a GPU weighed alike, where it was measured.
    busy_sum: u64,
    busy_milli: u64,
    pub(super) trouble: Trouble,
    /// Who has most of it.
    pub(super) job: Option<u64>,
    job_milli: u64,
    /// The selected job is among those who have it.
    pub(super) is_lit: bool,
}

impl Cell {
    /// In thousandths, where anything was measured.
    pub(super) fn busy(&self) -> Option<u64> {
        self.busy_sum.checked_div(self.busy_milli)
    }

    fn add(&mut self, other: &Cell) {
        self.gpus += other.gpus;
        self.used_milli += other.used_milli;
        self.busy_sum += other.busy_sum;
        self.busy_milli += other.busy_milli;
        // Of many, one in trouble does not make the whole look so; all of them do.
        self.trouble = self.trouble.min(other.trouble);
        self.is_lit |= other.is_lit;
        // As votes are counted in one pass: who has more than half stays in the end.
        if self.job == other.job {
            self.job_milli += other.job_milli;
        } else if other.job_milli > self.job_milli {
            (self.job, self.job_milli) = (other.job, other.job_milli - self.job_milli);
        } else {
            self.job_milli -= other.job_milli;
        }
    }
}

#[derive(Debug)]
struct Tile {
    name: String,
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Group {
    name: String,
    tiles: Vec<Tile>,
}

/// The picture at a depth.
#[derive(Debug)]
pub(super) struct Plot {
    groups: Vec<Group>,
}

impl Plot {
    /// Draws the nodes in the given order. Depth 1 has a cell for each of the widest domains; the
    /// number of levels and two more, one for each GPU.
    pub(super) fn new(map: &MapView, order: &[usize], depth: usize, lit: Option<u64>) -> Plot {
        let levels = map.levels.len();
        let mut plot = Plot { groups: Vec::new() };
        let mut last: Vec<&str> = Vec::new();
        for node in order.iter().filter_map(|&index| map.nodes.get(index)) {
            let mut path: Vec<&str> = node.domains.iter().map(String::as_str).collect();
            path.resize(levels, "");
            path.push(&node.name);
            let is_new = |upto: usize| last.is_empty() || last[..upto] != path[..upto];
            let (tile, group) = (depth - 1, depth.saturating_sub(2));
            if plot.groups.is_empty() || is_new(group) {
                let name = path[..group].join(" / ");
                plot.groups.push(Group { name, tiles: Vec::new() });
            }
            let tiles = &mut plot.groups.last_mut().expect("there is one now").tiles;
            if tiles.is_empty() || is_new(tile) {
                let name = path[..tile].last().copied().unwrap_or_default().to_owned();
                tiles.push(Tile { name, cells: Vec::new() });
            }
            let cells = &mut tiles.last_mut().expect("there is one now").cells;
            let gpus = gpus(node, lit);
            if depth > levels + 1 {
                cells.extend(gpus);
            } else {
                let mut whole = gpus.into_iter().reduce(|mut one, other| {
                    one.add(&other);
                    one
                });
                if is_new(depth) || cells.is_empty() {
                    cells.push(whole.take().unwrap_or_default());
                } else if let (Some(more), Some(cell)) = (whole, cells.last_mut()) {
                    cell.add(&more);
                }
            }
            last = path;
        }
        plot
    }

    /// The lines of the picture at a width, each cell as `sign` shows it.
    pub(super) fn lines(
        &self,
        width: usize,
        sign: &dyn Fn(&Cell) -> (char, Style),
    ) -> Vec<Line<'static>> {
        let tiles = || self.groups.iter().flat_map(|group| &group.tiles);
        let name = tiles().map(|tile| tile.name.chars().count()).max().unwrap_or(0).min(NAME_MAX);
        let cells = tiles().map(|tile| tile.cells.len()).max().unwrap_or(0);
        let indent = if name == 0 { 0 } else { name + 1 };
        // Wider than the screen: the cells go on in the next line, below each other.
        let cells = cells.min(width.saturating_sub(indent)).max(1);
        let columns = ((width + GAP) / (indent + cells + GAP)).max(1);
        let mut lines = Vec::new();
        for group in &self.groups {
            if !group.name.is_empty() {
                lines.push(heading(group));
            }
            for row in group.tiles.chunks(columns) {
                let height = row.iter().map(|tile| tile.cells.len().div_ceil(cells)).max();
                for part in 0..height.unwrap_or(0).max(1) {
                    let mut spans = Vec::new();
                    for tile in row {
                        let name =
                            if part == 0 { words::cut(&tile.name, name) } else { String::new() };
                        if indent > 0 {
                            spans.push(Span::raw(format!("{name:<indent$}")));
                        }
                        let shown = tile.cells.iter().skip(part * cells).take(cells);
                        let before = spans.len();
                        spans.extend(shown.map(|cell| draw(cell, sign)));
                        let blank = cells - (spans.len() - before) + GAP;
                        spans.push(Span::raw(" ".repeat(blank)));
                    }
                    lines.push(Line::from(spans));
                }
            }
        }
        lines
    }
}

fn draw(cell: &Cell, sign: &dyn Fn(&Cell) -> (char, Style)) -> Span<'static> {
    let (letter, style) = sign(cell);
    let style = if cell.is_lit { style.add_modifier(Modifier::REVERSED) } else { style };
    Span::styled(letter.to_string(), style)
}

fn heading(group: &Group) -> Line<'static> {
    let cells = || group.tiles.iter().flat_map(|tile| &tile.cells);
    let gpus: u64 = cells().map(|cell| cell.gpus).sum();
    let used: u64 = cells().map(|cell| cell.used_milli).sum();
    let figures = format!("  {} of {} GPUs", words::gpus(used), gpus);
    Line::from(vec![Span::styled(group.name.clone(), STRONG), Span::styled(figures, FAINT)])
}

/// The GPUs of a node.
fn gpus(node: &MapNode, lit: Option<u64>) -> Vec<Cell> {
    let count = usize::try_from(node.gpus).unwrap_or(0);
    let whole = match node.state {
        NodeState::Gone => Trouble::Gone,
        NodeState::Unknown => Trouble::Unseen,
        NodeState::Up if node.drained => Trouble::Drained,
        NodeState::Up => Trouble::None,
    };
    let mut cells = vec![Cell { gpus: 1, trouble: whole, ..Cell::default() }; count];
    for &sick in &node.unhealthy {
        if let Some(cell) = usize::try_from(sick).ok().and_then(|sick| cells.get_mut(sick)) {
            cell.trouble = cell.trouble.max(Trouble::Unhealthy);
        }
    }
    for held in &node.held {
        let gpu = usize::try_from(held.gpu).ok();
        let Some(cell) = gpu.and_then(|gpu| cells.get_mut(gpu)) else { continue };
        cell.used_milli += held.milli;
        if let Some(busy) = held.busy {
            cell.busy_sum += u64::from(busy) * held.milli;
            cell.busy_milli += held.milli;
        }
        if held.milli > cell.job_milli {
            (cell.job, cell.job_milli) = (Some(held.job), held.milli);
        }
        cell.is_lit |= lit == Some(held.job);
    }
    cells
}

/// Whether the jobs of a cell are on their way in or out.
pub(super) fn is_moving(state: JobState) -> bool {
    !matches!(state, JobState::Running | JobState::Ended)
}
