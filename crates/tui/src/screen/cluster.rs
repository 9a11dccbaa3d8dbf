//! The cluster: every GPU as a sign, and below it who has them.

use std::collections::BTreeMap;

use muster_api::view::{JobState, MapJob, MapNode, MapView, NodeState};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

use super::plot::{Cell, Plot, Trouble, is_moving};
use super::{failure, quiet, split_bottom, split_top, words};
use crate::app::{App, Shown};
use crate::data::Link;
use crate::look::{APART, BAD, CAREFUL, FAINT, GOOD, NEWS, STRONG};
use crate::table::{Column, Table, plain, styled};

/// The list of jobs has so many lines at least, where there are so many jobs.
const LIST_MIN: usize = 6;

/// Draws it; how deep the picture goes.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Option<usize> {
    let Some(map) = &app.data.map else {
        match &app.data.link {
            Link::Lost { failure: why, .. } => drop(failure(why, area, buffer)),
            _ => quiet(&["waiting for the first picture of the cluster …"], area, buffer),
        }
        return None;
    };
    if map.nodes.is_empty() {
        let lines = [
            "no nodes have joined yet",
            "",
            "on this machine:   muster up",
            "on each node:      muster agent --server URL --join-file FILE",
            "for a join token:  muster token join",
        ];
        quiet(&lines, area, buffer);
        return None;
    }
    let holders = app.holders();
    let height = usize::from(area.height);
    let list = if height >= 10 { LIST_MIN.min(holders.len() + 1) } else { 0 };
    let room = height.saturating_sub(1 + list);
    let signs = Signs::new(app.shown, map);
    let sign = |cell: &Cell| signs.of(cell);
    let width = usize::from(area.width);
    let (lines, depth) = fit(app, map, width, room, &sign);
    let shown = lines.len().min(room);
    let first = app.scroll.min(lines.len().saturating_sub(room));
    let (picture, rest) = split_top(area, u16::try_from(shown).unwrap_or(u16::MAX));
    for (line, row) in lines.iter().skip(first).zip(picture.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
    let (legend, rest) = split_top(rest, 1);
    let more = lines.len() - shown;
    buffer.set_line(legend.x, legend.y, &signs.legend(depth, map, more), legend.width);
    jobs(app, &holders, &signs, rest, buffer);
    Some(depth)
}

/// The picture at the depth that was asked for, or the deepest that there is room for.
fn fit(
    app: &App,
    map: &MapView,
    width: usize,
    room: usize,
    sign: &dyn Fn(&Cell) -> (char, Style),
) -> (Vec<Line<'static>>, usize) {
    let lines =
        |depth: usize| Plot::new(map, &app.data.order, depth, app.chosen_job).lines(width, sign);
    let deepest = map.levels.len() + 2;
    if let Some(depth) = app.depth {
        let depth = depth.clamp(1, deepest);
        return (lines(depth), depth);
    }
    for depth in (2..=deepest).rev() {
        let drawn = lines(depth);
        if drawn.len() <= room {
            return (drawn, depth);
        }
    }
    (lines(1), 1)
}

/// What the signs mean.
struct Signs<'a> {
    shown: Shown,
    jobs: BTreeMap<u64, &'a MapJob>,
    teams: BTreeMap<&'a str, char>,
}

impl<'a> Signs<'a> {
    fn new(shown: Shown, map: &'a MapView) -> Signs<'a> {
        let jobs: BTreeMap<u64, &MapJob> = map.jobs.iter().map(|job| (job.id, job)).collect();
        let mut teams = BTreeMap::new();
        for job in &map.jobs {
            teams.insert(team(job), ' ');
        }
        letters(&mut teams);
        Signs { shown, jobs, teams }
    }

    fn of(&self, cell: &Cell) -> (char, Style) {
        match cell.trouble {
            Trouble::Gone => return ('x', BAD),
            Trouble::Unseen => return ('?', BAD),
            Trouble::Unhealthy => return ('!', BAD),
            Trouble::Drained if cell.used_milli == 0 => return ('d', CAREFUL),
            _ if cell.used_milli == 0 => return ('·', FAINT),
            _ => {}
        }
        let job = cell.job.and_then(|job| self.jobs.get(&job)).copied();
        match (self.shown, job) {
            (Shown::Activity, _) => activity(cell),
            (Shown::Team, Some(job)) => self.mark(job),
            (Shown::Job, Some(job)) => self.mark(job),
            (Shown::State, Some(job)) if cell.gpus == 1 && is_moving(job.state) => {
                (moving(job.state), NEWS)
            }
            _ => shade(cell),
        }
    }

    /// The sign of a job's row in the list, as in the picture.
    fn mark(&self, job: &MapJob) -> (char, Style) {
        match self.shown {
            Shown::Team => {
                let place = self.teams.keys().position(|known| *known == team(job)).unwrap_or(0);
                let letter = self.teams.get(team(job)).copied().unwrap_or('#');
                (letter, apart(place))
            }
            Shown::Job => {
                let place = usize::try_from(job.id % 52).unwrap_or(0);
                let letter = ('A'..='Z').chain('a'..='z').nth(place).unwrap_or('#');
                (letter, apart(place))
            }
            _ if is_moving(job.state) => (moving(job.state), NEWS),
            _ => (' ', Style::new()),
        }
    }

    fn legend(&self, depth: usize, map: &MapView, more: usize) -> Line<'static> {
        let unit = match depth.checked_sub(map.levels.len() + 1) {
            Some(0) => "node",
            Some(_) => "GPU",
            None => map.levels.get(depth - 1).map_or("domain", String::as_str),
        };
        let mut spans = match more {
            0 => Vec::new(),
            more => vec![Span::styled(format!("↓ {more} more lines ([ ])  "), NEWS)],
        };
        let what = match self.shown {
            Shown::State => "state",
            Shown::Activity => "activity",
            Shown::Team => "team",
            Shown::Job => "job",
        };
        spans.push(Span::styled(format!("each {unit} by {what}:  "), FAINT));
        let known = |sign: &str, word: &str, style: Style| {
            [Span::styled(sign.to_owned(), style), Span::styled(format!(" {word}  "), FAINT)]
        };
        spans.extend(known("·", "free", FAINT));
        match self.shown {
            Shown::State => {
                spans.extend(known("░▒▓█", "used", GOOD));
                for (sign, word) in [('>', "starts"), ('=', "pauses"), ('<', "ends")] {
                    let is_so = |job: &&MapJob| is_moving(job.state) && moving(job.state) == sign;
                    if self.jobs.values().any(is_so) {
                        spans.extend(known(&sign.to_string(), word, NEWS));
                    }
                }
            }
            Shown::Activity => {
                spans.extend(known("▁▃▅█", "busy", GOOD));
                spans.extend(known("~", "unmeasured", FAINT));
            }
            Shown::Team => {
                for (place, (team, letter)) in self.teams.iter().enumerate() {
                    spans.extend(known(&letter.to_string(), team, apart(place)));
                }
            }
            Shown::Job => spans.push(Span::styled("letters as in the list", FAINT)),
        }
        // What is wrong is explained where something is.
        let any = |is_so: &dyn Fn(&MapNode) -> bool| map.nodes.iter().any(is_so);
        for (is_so, sign, word, style) in [
            (any(&|node| node.drained), "d", "drained", CAREFUL),
            (any(&|node| !node.unhealthy.is_empty()), "!", "unhealthy", BAD),
            (any(&|node| node.state == NodeState::Unknown), "?", "unseen", BAD),
            (any(&|node| node.state == NodeState::Gone), "x", "gone", BAD),
        ] {
            if is_so {
                spans.extend(known(sign, word, style));
            }
        }
        Line::from(spans)
    }
}

/// Who is accounted for a job: its team, or else its queue.
fn team(job: &MapJob) -> &str {
    job.team.as_deref().unwrap_or(&job.queue)
}

/// Gives each name a letter, one of its own where it is not taken.
fn letters(names: &mut BTreeMap<&str, char>) {
    let mut taken: Vec<char> = Vec::new();
    for (name, mark) in names.iter_mut() {
        let own =
            name.chars().filter(char::is_ascii_alphabetic).map(|own| own.to_ascii_uppercase());
        let any = ('A'..='Z').chain('a'..='z').chain('0'..='9');
        *mark = own.chain(any).find(|letter| !taken.contains(letter)).unwrap_or('#');
        taken.push(*mark);
    }
}

fn apart(place: usize) -> Style {
    Style::new().fg(APART[place % APART.len()])
}

fn moving(state: JobState) -> char {
    match state {
        JobState::Stopping => '<',
        JobState::Pausing | JobState::Paused => '=',
        _ => '>',
    }
}

/// How much is in use, in five shades.
fn shade(cell: &Cell) -> (char, Style) {
    let all = cell.gpus.saturating_mul(1000);
    match cell.used_milli.saturating_mul(100).checked_div(all).unwrap_or(0) {
        0..34 => ('░', GOOD),
        34..67 => ('▒', GOOD),
        67..100 => ('▓', GOOD),
        _ => ('█', GOOD),
    }
}

/// How busy, in eight levels; held and idle is what people look for.
fn activity(cell: &Cell) -> (char, Style) {
    let Some(busy) = cell.busy() else { return ('~', FAINT) };
    let colour = match busy {
        0..100 => Color::Red,
        100..500 => Color::Yellow,
        _ => Color::Green,
    };
    (words::busy_sign(busy), Style::new().fg(colour))
}

const COLUMNS: [Column; 9] = [
    Column::new(" "),
    Column::new("JOB").right(),
    Column::new("NAME").most(20),
    Column::new("USER").most(12).spare(2),
    Column::new("TEAM").most(12).spare(3),
    Column::new("CLASS").most(12).spare(4),
    Column::new("GPUS").right(),
    Column::new("BUSY").right(),
    Column::new("STATE"),
];

fn jobs(app: &App, holders: &[&MapJob], signs: &Signs<'_>, area: Rect, buffer: &mut Buffer) {
    if holders.is_empty() {
        return quiet(
            &["no job holds a GPU; `muster run --gpus 1 -- COMMAND` starts one"],
            area,
            buffer,
        );
    }
    let busy = busy(app);
    let mut table = Table::new(&COLUMNS);
    for job in holders {
        let (mark, style) = signs.mark(job);
        let busy = busy.get(&job.id).copied();
        let since = job.started.map(|started| format!(" {}", words::since(started, app.now)));
        // What the rule of its queue calls idle is told, also where nothing is done about it.
        let idle = if job.is_idle { ", idle" } else { "" };
        let state = format!("{}{}{idle}", job.state, since.unwrap_or_default());
        let tint = if job.is_idle { BAD } else { super::jobs::tint(job.state) };
        table.row([
            styled(mark.to_string(), style),
            plain(job.id.to_string()),
            styled(&*job.name, STRONG),
            plain(&*job.user),
            plain(team(job)),
            plain(&*job.class),
            plain(words::gpus(job.gpus_milli)),
            match busy {
                Some(busy) if busy < 100 => styled(format!("{}%", busy / 10), BAD),
                Some(busy) => plain(format!("{}%", busy / 10)),
                None => styled(words::NOTHING, FAINT),
            },
            styled(state, tint),
        ]);
    }
    table.choose(app.place_of(holders.iter().map(|job| job.id)));
    // One line of room, where there is plenty.
    let gap = u16::from(usize::from(area.height) > holders.len() + 2);
    let (_, area) = split_bottom(area, area.height - gap);
    table.draw(area, buffer);
}

/// How busy each job kept its GPUs, in thousandths, as far as it was measured.
fn busy(app: &App) -> BTreeMap<u64, u64> {
    let mut sums: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    let nodes = app.data.map.iter().flat_map(|map| &map.nodes);
    for held in nodes.flat_map(|node| &node.held) {
        if let Some(busy) = held.busy {
            let (sum, milli) = sums.entry(held.job).or_default();
            *sum += u64::from(busy) * held.milli;
            *milli += held.milli;
        }
    }
    sums.into_iter()
        .filter_map(|(job, (sum, milli))| Some((job, sum.checked_div(milli)?)))
        .collect()
}
