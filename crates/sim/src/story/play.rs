//! Plays a story: turns its acts into commands with numbers and times, gives them to a watched
//! engine, and puts the answers into words.

use muster_engine::command::Command;
use muster_engine::snapshot::Snapshot;
use muster_model::{ClusterSpec, Time};

use super::act::{Act, Ask, Moment, START, Setup};
use super::words::{Parsed, Problem};
use crate::render::{self, Scene};
use crate::watch::Watch;

mod tell;

/// The engine may want to be woken so often while a story's time passes; more is a loop.
const WAKES_MAX: u32 = 100_000;

/// A story in progress.
pub(super) struct Player {
    /// The configuration, until the first event.
    cluster: ClusterSpec,
    watch: Option<Watch>,
    scene: Scene,
    now: Time,
}

impl Player {
    pub(super) fn new() -> Player {
        let cluster = ClusterSpec { queues: Vec::new(), ..ClusterSpec::default() };
        Player { cluster, watch: None, scene: Scene::new(START), now: START }
    }

    /// Plays one act and returns what it prints.
    pub(super) fn play(&mut self, act: &Act) -> Parsed<Vec<String>> {
        match act {
            Act::Setup(setup) => self.set_up(setup),
            Act::Queue(queue) if self.watch.is_none() => {
                self.cluster.queues.push(queue.clone());
                Ok(Vec::new())
            }
            Act::Queue(queue) => self.step(&Command::QueueSet { queue: queue.clone() }),
            Act::Until(moment) => self.pass_time(*moment),
            Act::ClockAt(time) => {
                self.now = *time;
                Ok(Vec::new())
            }
            Act::ClockBack(span) => {
                self.now = Time(self.now.0.saturating_sub(span.0));
                Ok(Vec::new())
            }
            Act::Tell(tell) => self.tell(tell),
            Act::Ask(ask) => self.ask(*ask),
            Act::Restart => self.watch()?.restart().map(|()| Vec::new()).map_err(Problem::from),
        }
    }

    fn set_up(&mut self, setup: &Setup) -> Parsed<Vec<String>> {
        if self.watch.is_some() {
            return Err(Problem::new("expected the configuration before the first event"));
        }
        match setup {
            Setup::Levels(levels) => self.cluster.levels = levels.clone(),
            Setup::Model(model) => self.cluster.gpu_models.push(model.clone()),
            Setup::Class(class) => {
                self.cluster.classes.retain(|known| known.name != class.name);
                self.cluster.classes.push(class.clone());
            }
            Setup::Policy(policy) => self.cluster.policy = (**policy).clone(),
        }
        Ok(Vec::new())
    }

    /// The watched engine, which begins with the first event. A story that names no queue has
    /// the usual one.
    fn watch(&mut self) -> Parsed<&mut Watch> {
        if self.watch.is_none() {
            let mut cluster = self.cluster.clone();
            if cluster.queues.is_empty() {
                cluster.queues = ClusterSpec::default().queues;
            }
            self.watch = Some(Watch::new(cluster).map_err(Problem::from)?);
        }
        Ok(self.watch.as_mut().expect("it was just made"))
    }

    fn snapshot(&mut self) -> Parsed<Snapshot> {
        Ok(self.watch()?.engine().snapshot())
    }

    fn step(&mut self, command: &Command) -> Parsed<Vec<String>> {
        let now = self.now;
        let actions = self.watch()?.step(now, command.clone()).map_err(Problem::from)?;
        self.scene.saw(now, command, &actions);
        Ok(self.scene.actions(&actions))
    }

    /// Time passes; the engine is woken when it wants to be and told the time at the end, and
    /// what it does is printed with its time.
    fn pass_time(&mut self, moment: Moment) -> Parsed<Vec<String>> {
        let target = match moment {
            Moment::At(time) => time,
            Moment::In(span) => self.now + span,
        };
        if target < self.now {
            let now = render::moment(START, self.now);
            return Err(Problem::new(format!("expected a moment after {now}, where we are")));
        }
        let mut lines = Vec::new();
        for _ in 0..WAKES_MAX {
            let wake = self.watch()?.engine().next_wake().filter(|wake| *wake <= target);
            let is_due = wake.is_some();
            self.now = wake.map_or(target, |wake| wake.max(self.now));
            let moment = render::moment(START, self.now);
            let printed = self.step(&Command::Tick)?;
            lines.extend(printed.into_iter().map(|line| format!("{moment} {line}")));
            if !is_due {
                return Ok(lines);
            }
        }
        Err(Problem::new(format!("the engine wanted to be woken more than {WAKES_MAX} times")))
    }

    fn ask(&mut self, ask: Ask) -> Parsed<Vec<String>> {
        let unknown = |job| Problem::new(format!("expected the number of a known job, not {job}"));
        match ask {
            Ask::Why(job) => {
                let why = self.watch()?.why(job)?.ok_or_else(|| unknown(job))?;
                Ok(self.scene.why(&why))
            }
            Ask::Decision(job) => {
                let none = format!("job {job} has not been placed");
                let decision = self.watch()?.engine().decision(job);
                Ok(decision.map_or(vec![none], |decision| self.scene.decision(&decision)))
            }
            Ask::Jobs => self.snapshot().map(|snapshot| self.scene.jobs(&snapshot)),
            Ask::Nodes => self.snapshot().map(|snapshot| self.scene.nodes(&snapshot)),
            Ask::Queues => self.snapshot().map(|snapshot| self.scene.queues(&snapshot)),
        }
    }
}
