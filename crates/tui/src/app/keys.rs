//! What each key does.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use muster_client::Order;

use super::{App, View, Wish};

/// Rows that a page has when moving through a list.
const PAGE: isize = 10;

/// Letters that a filter may have: more than anyone types, and it stays on one line.
const FILTER_MAX: usize = 60;

impl App {
    /// Takes a key.
    pub(crate) fn press(&mut self, key: KeyEvent) -> Wish {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return self.control(key.code);
        }
        if self.is_typing {
            self.write(key.code);
            return Wish::Nothing;
        }
        if let Some(question) = self.question.take() {
            return match key.code {
                KeyCode::Char('y' | 'Y') => {
                    self.say(
                        format!("asking to {} job {} …", question.order.word(), question.job),
                        false,
                    );
                    Wish::Order(question.job, question.order)
                }
                _ => {
                    self.say("nothing was done".to_owned(), false);
                    Wish::Nothing
                }
            };
        }
        if std::mem::take(&mut self.has_help) {
            return if key.code == KeyCode::Char('q') { Wish::Quit } else { Wish::Nothing };
        }
        self.command(key.code)
    }

    fn control(&mut self, code: KeyCode) -> Wish {
        match code {
            KeyCode::Char('c') => Wish::Quit,
            KeyCode::Char('z') => Wish::Suspend,
            KeyCode::Char('l') => Wish::Redraw,
            KeyCode::Char('u') if self.is_typing => {
                self.filter.clear();
                Wish::Nothing
            }
            _ => Wish::Nothing,
        }
    }

    /// A key while the filter is being typed.
    fn write(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char(letter) if self.filter.chars().count() < FILTER_MAX => {
                self.filter.push(letter);
            }
            KeyCode::Backspace => {
                self.filter.pop();
            }
            KeyCode::Enter | KeyCode::Up | KeyCode::Down => self.is_typing = false,
            KeyCode::Esc => (self.is_typing, self.filter) = (false, String::new()),
            _ => {}
        }
    }

    fn command(&mut self, code: KeyCode) -> Wish {
        match code {
            KeyCode::Char('q') => return Wish::Quit,
            KeyCode::Char('?') | KeyCode::F(1) => self.has_help = true,
            KeyCode::Char(digit @ '1'..='4') => {
                let place = usize::try_from(u32::from(digit) - u32::from('1')).unwrap_or(0);
                self.turn(View::ALL[place]);
            }
            KeyCode::Tab | KeyCode::Right => self.turn(self.neighbour(1)),
            KeyCode::BackTab | KeyCode::Left => self.turn(self.neighbour(View::ALL.len() - 1)),
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.go(PAGE),
            KeyCode::PageUp => self.go(-PAGE),
            KeyCode::Home | KeyCode::Char('g') => self.go(isize::MIN),
            KeyCode::End | KeyCode::Char('G') => self.go(isize::MAX),
            KeyCode::Enter => self.enter(),
            KeyCode::Esc | KeyCode::Backspace => self.leave(),
            KeyCode::Char('c') => self.ask(Order::Cancel),
            KeyCode::Char('h') => self.ask(Order::Hold),
            KeyCode::Char('r') => self.ask(Order::Release),
            _ => self.adjust(code),
        }
        Wish::Nothing
    }

    /// Keys that only change how the view looks.
    fn adjust(&mut self, code: KeyCode) {
        if self.open.is_some() {
            return;
        }
        match (self.view, code) {
            (View::Cluster, KeyCode::Char('m')) => self.shown = self.shown.next(),
            (View::Cluster, KeyCode::Char('+' | '=')) => self.zoom(1),
            (View::Cluster, KeyCode::Char('-')) => self.zoom(-1),
            (View::Cluster, KeyCode::Char('0')) => (self.depth, self.scroll) = (None, 0),
            (View::Cluster, KeyCode::Char(']')) => self.scroll = self.scroll.saturating_add(1),
            (View::Cluster, KeyCode::Char('[')) => self.scroll = self.scroll.saturating_sub(1),
            (View::Jobs, KeyCode::Char('/')) => self.is_typing = true,
            (View::Jobs, KeyCode::Char('a')) => self.which = self.which.next(),
            (View::Jobs, KeyCode::Char('s')) => self.sort = self.sort.next(),
            (View::Jobs, KeyCode::Char('S')) => self.is_reversed = !self.is_reversed,
            // From anywhere a search leads to the jobs.
            (_, KeyCode::Char('/')) => {
                self.turn(View::Jobs);
                self.is_typing = true;
            }
            _ => {}
        }
    }

    fn turn(&mut self, view: View) {
        (self.view, self.open, self.scroll) = (view, None, 0);
    }

    fn neighbour(&self, by: usize) -> View {
        let at = View::ALL.iter().position(|view| *view == self.view).unwrap_or(0);
        View::ALL[(at + by) % View::ALL.len()]
    }

    /// Moves through the list, or the open page.
    fn go(&mut self, by: isize) {
        match self.open {
            // The screen stops at the last line by itself.
            Some(_) => self.scroll = self.scroll.saturating_add_signed(by),
            None => self.step(by),
        }
    }

    fn enter(&mut self) {
        if self.view == View::Queues && self.open.is_none() {
            if let Some(queue) = self.chosen_queue.clone() {
                self.open_queue(queue);
            }
        } else if let Some(job) = self.subject() {
            (self.open, self.scroll) = (Some(job), 0);
        } else {
            self.step(0);
        }
    }

    /// One step back: the page, the filter, the selection.
    fn leave(&mut self) {
        if self.open.take().is_some() {
            self.scroll = 0;
        } else if self.view == View::Jobs && !self.filter.is_empty() {
            self.filter.clear();
        } else {
            (self.chosen_job, self.chosen_queue) = (None, None);
        }
    }

    fn ask(&mut self, order: Order) {
        match self.subject() {
            Some(job) if self.has_ended(job) => self.say(format!("job {job} has ended"), false),
            Some(job) => self.question = Some(self.question_about(job, order)),
            None => {
                self.say(format!("select a job to {} with the arrow keys", order.word()), false);
            }
        }
    }

    fn zoom(&mut self, by: isize) {
        let Some(map) = &self.data.map else { return };
        // The cluster, its levels, nodes, GPUs.
        let deepest = map.levels.len() + 2;
        let at = self.depth.or(self.drawn_depth).unwrap_or(deepest);
        self.depth = Some(at.saturating_add_signed(by).clamp(1, deepest));
        self.scroll = 0;
    }
}
