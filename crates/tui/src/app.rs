//! What is on the screen and what was heard, as plain state. Keys and news change it; it reads no
//! clock, no terminal and no network, so that every screen can be made in a test.

mod chosen;
mod keys;
mod pace;
#[cfg(test)]
mod tests;

use muster_client::Order;
use muster_model::Time;

pub(crate) use pace::Ask;

use crate::data::{Data, Failure, JobList, Known, Link, OneJob, Used};
use crate::news::News;
use pace::Pace;

/// What can be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// Every GPU, and who has it.
    #[default]
    Cluster,
    /// The jobs.
    Jobs,
    /// The queues and their books.
    Queues,
    /// What runs next.
    Plan,
}

impl View {
    /// All of them, in the order of their numbers.
    pub const ALL: [View; 4] = [View::Cluster, View::Jobs, View::Queues, View::Plan];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            View::Cluster => "cluster",
            View::Jobs => "jobs",
            View::Queues => "queues",
            View::Plan => "plan",
        }
    }
}

/// What the picture of the cluster tells apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shown {
    #[default]
    State,
    Activity,
    Team,
    Job,
}

impl Shown {
    pub(crate) fn next(self) -> Shown {
        match self {
            Shown::State => Shown::Activity,
            Shown::Activity => Shown::Team,
            Shown::Team => Shown::Job,
            Shown::Job => Shown::State,
        }
    }
}

/// Which jobs are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Which {
    #[default]
    Alive,
    Running,
    Waiting,
    Ended,
}

impl Which {
    pub(crate) fn next(self) -> Which {
        match self {
            Which::Alive => Which::Running,
            Which::Running => Which::Waiting,
            Which::Waiting => Which::Ended,
            Which::Ended => Which::Alive,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Which::Alive => "running and waiting",
            Which::Running => "running",
            Which::Waiting => "waiting",
            Which::Ended => "ended in the last day",
        }
    }
}

/// What jobs are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    #[default]
    State,
    Newest,
    Gpus,
    Time,
    User,
    Name,
}

impl Sort {
    pub(crate) fn next(self) -> Sort {
        match self {
            Sort::State => Sort::Newest,
            Sort::Newest => Sort::Gpus,
            Sort::Gpus => Sort::Time,
            Sort::Time => Sort::User,
            Sort::User => Sort::Name,
            Sort::Name => Sort::State,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Sort::State => "state",
            Sort::Newest => "newest",
            Sort::Gpus => "GPUs",
            Sort::Time => "time",
            Sort::User => "user",
            Sort::Name => "name",
        }
    }
}

/// What has to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) job: u64,
    pub(crate) name: String,
    pub(crate) order: Order,
}

/// What is to be done after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Nothing,
    Quit,
    /// Stop as other programs do on Ctrl-Z, and go on later.
    Suspend,
    /// Draw everything anew.
    Redraw,
    Order(u64, Order),
}

/// Something that is said for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    pub(crate) is_bad: bool,
    since: Time,
}

/// How long something is said.
const SAID_MS: u64 = 6000;

/// The whole state.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) server: String,
    pub(crate) now: Time,
    pub(crate) view: View,
    /// The job whose details are open, over the view.
    pub(crate) open: Option<u64>,
    pub(crate) has_help: bool,
    pub(crate) question: Option<Question>,
    pub(crate) message: Option<Message>,
    pub(crate) data: Data,
    pub(crate) shown: Shown,
    /// How deep the picture goes; nothing: as deep as there is room for.
    pub(crate) depth: Option<usize>,
    /// How deep it went on the last screen.
    pub(crate) drawn_depth: Option<usize>,
    /// Lines of the open page, or of the picture, that are above the screen.
    pub(crate) scroll: usize,
    pub(crate) which: Which,
    pub(crate) sort: Sort,
    pub(crate) is_reversed: bool,
    pub(crate) filter: String,
    pub(crate) is_typing: bool,
    /// The job that is selected, in every list that has it.
    pub(crate) chosen_job: Option<u64>,
    pub(crate) chosen_queue: Option<String>,
    pace: Pace,
}

impl App {
    pub(crate) fn new(server: &str, view: View, now: Time) -> App {
        App {
            server: server.to_owned(),
            now,
            view,
            open: None,
            has_help: false,
            question: None,
            message: None,
            data: Data::default(),
            shown: Shown::default(),
            depth: None,
            drawn_depth: None,
            scroll: 0,
            which: Which::default(),
            sort: Sort::default(),
            is_reversed: false,
            filter: String::new(),
            is_typing: false,
            chosen_job: None,
            chosen_queue: None,
            pace: Pace::default(),
        }
    }

    /// Takes note of the time.
    pub(crate) fn tick(&mut self, now: Time) {
        self.now = now;
        let is_old = |message: &Message| now.0.saturating_sub(message.since.0) > SAID_MS;
        if self.message.as_ref().is_some_and(is_old) {
            self.message = None;
        }
    }

    /// What should be asked now for what is shown.
    pub(crate) fn due(&mut self) -> Vec<Ask> {
        let asks = match (self.open, self.view) {
            (Some(job), _) => vec![Ask::Job(job)],
            (None, View::Cluster) => vec![Ask::Used],
            (None, View::Jobs) => vec![Ask::Jobs(self.which)],
            (None, View::Queues) => vec![Ask::Queues],
            (None, View::Plan) => vec![Ask::Plan],
        };
        self.pace.due(asks, self.now)
    }

    /// Takes in what the server said.
    pub(crate) fn hear(&mut self, news: News) {
        match news {
            News::Picture(map) => self.data.see(map),
            News::Lost(failure) => self.data.lose(failure, self.now),
            News::Jobs(which, answer) => {
                self.pace.answered(Ask::Jobs(which));
                self.data.jobs.hear(answer.map(|list: JobList| (which, list)));
            }
            News::Queues(answer) => {
                self.pace.answered(Ask::Queues);
                self.data.queues.hear(answer);
            }
            News::Plan(answer) => {
                self.pace.answered(Ask::Plan);
                self.data.plan.hear(answer.map(|plan| *plan));
            }
            News::Used(answer) => {
                self.pace.answered(Ask::Used);
                self.data.used.hear(answer.map(|used: Box<Used>| *used));
            }
            News::Job(id, answer) => {
                self.pace.answered(Ask::Job(id));
                self.data.job.hear(answer.map(|job: Box<OneJob>| (id, *job)));
            }
            News::Ordered(job, order, answer) => self.ordered(job, order, answer),
        }
    }

    fn ordered(&mut self, job: u64, order: Order, answer: Result<(), Failure>) {
        // What is shown of the job is old now.
        self.pace.forget();
        match answer {
            Ok(()) => self.say(format!("job {job}: {}", done(order)), false),
            Err(failure) => {
                let hint = failure.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
                self.say(
                    format!("cannot {} job {job}: {}{hint}", order.word(), failure.text),
                    true,
                );
            }
        }
    }

    pub(crate) fn say(&mut self, text: String, is_bad: bool) {
        self.message = Some(Message { text, is_bad, since: self.now });
    }

    /// The open job, where it is the one that was heard of.
    pub(crate) fn open_job(&self) -> Known<&OneJob> {
        let known = &self.data.job;
        let value = known.value.as_ref().filter(|(id, _)| Some(*id) == self.open);
        Known { value: value.map(|(_, job)| job), failure: known.failure.clone() }
    }

    /// Whether the pictures flow.
    pub(crate) fn is_live(&self) -> bool {
        self.data.link == Link::Live
    }
}

/// What was done, once it is.
fn done(order: Order) -> &'static str {
    match order {
        Order::Cancel => "is being ended",
        Order::Hold => "is held; r lets it start",
        Order::Release => "may start",
        Order::Requeue => "starts again in its turn",
    }
}
