//! Watches a step to its end: shows what its tasks write, hands on what is typed and sent, and says
//! how they ended.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::io::Read;
use std::pin::Pin;
use std::time::Duration;

use muster_api::step::frame::{Kind, header};
use muster_api::step::{StepState, StepView};
use muster_slurm::Request;
use tokio::io::AsyncWriteExt;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::NAME;
use super::listen::{Listening, News, Sink};
use super::output::Output;
use super::terminal::Raw;
use crate::slurm::session::Session;
use crate::slurm::{Ended, Stop};

/// How long an interrupt waits for a second one.
const TWICE: Duration = Duration::from_secs(1);

/// How long what tasks wrote may be on its way after they have ended.
const DRAIN: Duration = Duration::from_secs(10);

/// Pieces of standard input that wait to be handed on.
const TYPED: usize = 16;

/// Signals that are handed on as they are.
const HANDED_ON: [SignalKind; 4] = [
    SignalKind::hangup(),
    SignalKind::user_defined1(),
    SignalKind::user_defined2(),
    SignalKind::alarm(),
];

type Looking<'a> = Pin<Box<dyn Future<Output = Result<StepView, muster_client::Error>> + 'a>>;

/// A step that is watched.
pub(super) struct Watching<'a> {
    session: &'a Session,
    news: mpsc::Receiver<News>,
    view: StepView,
    output: Output,
    is_quiet: bool,
    has_terminal: bool,
    quits: bool,
    wait: Option<Duration>,
    /// Ways to the tasks, by rank.
    sinks: BTreeMap<u32, Sink>,
    /// Everything that was typed, for tasks that come up later; nothing once all are there.
    typed: Vec<u8>,
    is_typed_all: bool,
    carrying: usize,
    told: BTreeSet<u32>,
    interrupted: Option<Instant>,
    ends_at: Option<Instant>,
}

impl<'a> Watching<'a> {
    pub(super) fn new(
        session: &'a Session,
        request: &Request,
        listening: Listening,
        view: StepView,
        has_terminal: bool,
    ) -> Watching<'a> {
        let number = |pattern: &Option<muster_slurm::values::Pattern>| {
            pattern.as_ref().and_then(|pattern| pattern.as_str().parse::<u32>().ok())
        };
        let label = request.step.label.then_some(view.tasks.max(1));
        let wait = request.step.wait_s.filter(|seconds| *seconds > 0);
        Watching {
            session,
            news: listening.news,
            output: Output::new(label, number(&request.run.output), number(&request.run.error)),
            view,
            is_quiet: request.client.quiet,
            has_terminal,
            quits: request.step.quit_on_interrupt,
            wait: wait.map(|seconds| Duration::from_secs(u64::from(seconds))),
            sinks: BTreeMap::new(),
            typed: Vec::new(),
            is_typed_all: false,
            carrying: 0,
            told: BTreeSet::new(),
            interrupted: None,
            ends_at: None,
        }
    }

    /// The first step of a job waits for nobody but the last nodes of its job to be up.
    fn tells_of_waiting(&self) -> bool {
        !self.is_quiet && self.view.step > 0
    }

    /// Until all tasks have ended and all they wrote is shown; the highest of their exits.
    pub(super) async fn run(mut self) -> Ended {
        let failed = |error: std::io::Error| Stop::error(NAME, error);
        let mut interrupts = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut ends = signal(SignalKind::terminate()).map_err(failed)?;
        let mut quits = signal(SignalKind::quit()).map_err(failed)?;
        let mut windows = signal(SignalKind::window_change()).map_err(failed)?;
        let mut others = Others::new().map_err(failed)?;
        let mut typed = read_input();
        let job = self.view.job;
        if self.view.state == StepState::Waiting && self.tells_of_waiting() {
            eprintln!(
                "{NAME}: Job {job} step creation temporarily disabled, retrying \
                 (Requested nodes are busy)"
            );
        }
        let session = self.session;
        let mut looking = look(session, self.view.clone());
        loop {
            let ends_at = self.ends_at;
            let until = async move {
                match ends_at {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Some(news) = self.news.recv() => self.hear(news).await,
                seen = &mut looking => {
                    self.see(seen)?;
                    if self.view.state == StepState::Ended {
                        break;
                    }
                    looking = look(session, self.view.clone());
                }
                Some(bytes) = typed.recv(), if !self.is_typed_all => self.type_in(bytes).await,
                _ = interrupts.recv() => self.interrupt().await,
                _ = ends.recv() => self.end("forcing job termination").await,
                _ = quits.recv() => self.end("forcing job termination").await,
                number = others.recv() => {
                    let (job, step) = (self.view.job, self.view.step);
                    let _ = session.client.signal_step(job, step, number).await;
                }
                _ = windows.recv(), if self.has_terminal => self.resize().await,
                () = until => {
                    self.ends_at = None;
                    let seconds = self.wait.unwrap_or_default().as_secs();
                    self.end(&format!("First task exited {seconds}s ago")).await;
                }
            }
        }
        self.drain().await;
        Ok(u8::try_from(self.view.status()).unwrap_or(u8::MAX))
    }

    async fn hear(&mut self, news: News) {
        match news {
            News::Begins => self.carrying += 1,
            News::Output { rank, kind, bytes } => self.output.write(rank, kind, &bytes),
            News::Ends { rank } => {
                self.carrying -= 1;
                self.output.end(rank);
            }
            News::Input { rank, mut sink } => {
                let mut is_open = true;
                for piece in self.typed.chunks(muster_api::step::frame::FRAME_MAX) {
                    is_open &= send(&mut sink, Kind::Input, piece).await;
                }
                if self.is_typed_all {
                    is_open &= send(&mut sink, Kind::InputEnd, &[]).await;
                }
                if is_open {
                    self.sinks.insert(rank, sink);
                }
                if self.sinks.len() >= usize::try_from(self.view.tasks).unwrap_or(usize::MAX) {
                    self.typed = Vec::new();
                }
            }
        }
    }

    /// A newer look at the step.
    fn see(&mut self, seen: Result<StepView, muster_client::Error>) -> Result<(), Stop> {
        let before = self.view.state;
        match seen {
            Ok(view) => self.view = view,
            // The server may be away for a while; the step goes on without it.
            Err(muster_client::Error::Unreachable { .. }) => return Ok(()),
            Err(error) => return Err(self.session.failed(error)),
        }
        let id = format!("{}.{}", self.view.job, self.view.step);
        let has_begun = before == StepState::Waiting && self.view.state == StepState::Running;
        if has_begun && self.tells_of_waiting() {
            eprintln!("{NAME}: Step created for StepId={id}");
        }
        let new: Vec<_> =
            self.view.ends.iter().filter(|end| !self.told.contains(&end.rank)).cloned().collect();
        self.told.extend(new.iter().map(|end| end.rank));
        if !new.is_empty() && self.ends_at.is_none() {
            self.ends_at = self.wait.map(|wait| Instant::now() + wait);
        }
        words::ends(&new).iter().for_each(|line| eprintln!("{line}"));
        Ok(())
    }

    /// Standard input goes to all tasks that hear it.
    async fn type_in(&mut self, bytes: Vec<u8>) {
        let kind = if bytes.is_empty() { Kind::InputEnd } else { Kind::Input };
        self.is_typed_all = bytes.is_empty();
        let all = usize::try_from(self.view.tasks.max(1)).unwrap_or(usize::MAX);
        if self.sinks.len() < all {
            self.typed.extend(&bytes);
        }
        let mut gone = Vec::new();
        for (rank, sink) in &mut self.sinks {
            if !send(sink, kind, &bytes).await {
                gone.push(*rank);
            }
        }
        gone.iter().for_each(|rank| drop(self.sinks.remove(rank)));
    }

    async fn resize(&mut self) {
        let Some(size) = Raw::size() else { return };
        let mut bytes = size.rows.to_be_bytes().to_vec();
        bytes.extend(size.columns.to_be_bytes());
        if let Some(sink) = self.sinks.get_mut(&0) {
            let _ = send(sink, Kind::Window, &bytes).await;
        }
    }

    /// One interrupt says where things are, a second one soon after ends the step.
    async fn interrupt(&mut self) {
        let is_second = self.interrupted.is_some_and(|at| at.elapsed() <= TWICE);
        let id = format!("{}.{}", self.view.job, self.view.step);
        if self.view.state == StepState::Waiting {
            return self.end("Cancelled pending job step with signal 2").await;
        }
        if is_second || self.quits {
            return self.end(&format!("sending Ctrl-C to StepId={id}")).await;
        }
        self.interrupted = Some(Instant::now());
        eprintln!("{NAME}: interrupt (one more within 1 sec to abort)");
        words::states(&self.view).iter().for_each(|line| eprintln!("{NAME}: StepId={id} {line}"));
    }

    async fn end(&mut self, why: &str) {
        eprintln!("{NAME}: {why}");
        eprintln!("{NAME}: Job step aborted: Waiting up to 32 seconds for job step to finish.");
        let (job, step) = (self.view.job, self.view.step);
        let _ = self.session.client.end_step(job, step).await;
    }

    /// What is still on its way. The launchers have sent everything before they noted the ends.
    async fn drain(&mut self) {
        let until = Instant::now() + DRAIN;
        while self.carrying > 0 {
            match tokio::time::timeout_at(until, self.news.recv()).await {
                Ok(Some(news)) => self.hear(news).await,
                _ => return,
            }
        }
        // Those that were accepted in the same moment.
        while let Ok(news) = self.news.try_recv() {
            self.hear(news).await;
        }
    }
}

fn look(session: &Session, known: StepView) -> Looking<'_> {
    Box::pin(async move {
        let seen = session.client.wait_step(&known).await;
        if seen.is_err() {
            tokio::time::sleep(TWICE).await;
        }
        seen
    })
}

async fn send(sink: &mut Sink, kind: Kind, bytes: &[u8]) -> bool {
    let sent = sink.write_all(&header(kind, bytes.len())).await;
    sent.is_ok() && sink.write_all(bytes).await.is_ok() && sink.flush().await.is_ok()
}

/// What is typed, in pieces; an empty one is the end. A thread reads, for that cannot be called
/// off.
fn read_input() -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel(TYPED);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 16 * 1024];
        loop {
            let count = std::io::stdin().read(&mut bytes).unwrap_or(0);
            if sender.blocking_send(bytes[..count].to_vec()).is_err() || count == 0 {
                return;
            }
        }
    });
    receiver
}

/// Signals that are handed on.
struct Others {
    all: Vec<(u8, Signal)>,
}

impl Others {
    fn new() -> std::io::Result<Others> {
        let listen = |kind: SignalKind| {
            let number = u8::try_from(kind.as_raw_value()).unwrap_or_default();
            Ok((number, signal(kind)?))
        };
        let all = HANDED_ON.into_iter().map(listen).collect::<std::io::Result<_>>()?;
        Ok(Others { all })
    }

    async fn recv(&mut self) -> u8 {
        std::future::poll_fn(|context| {
            for (number, signal) in &mut self.all {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*number);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}
