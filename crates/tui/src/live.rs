//! The thin shell around the state: keys, the server, the clock and signals come in, and the
//! screen is drawn anew.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crossterm::event::{Event, KeyEvent, KeyEventKind};
use muster_client::{Client, Watched};
use muster_model::Time;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use crate::app::{App, View, Wish};
use crate::asking::{ask, order};
use crate::data::Failure;
use crate::news::News;
use crate::terminal::{self, Held};
use crate::{Error, Look, screen};

/// The clock on the screen, and the look at what should be asked.
const TICK: Duration = Duration::from_secs(1);

/// News and keys that may wait to be taken in.
const WAITING: usize = 64;

/// What to show, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The view to begin with.
    pub view: View,
    /// What the terminal can show.
    pub look: Look,
}

/// Shows the cluster until somebody quits.
pub async fn run(client: &Client, options: Options) -> Result<(), Error> {
    terminal::check(std::env::var("TERM").ok().as_deref())?;
    // What is wrong from the start is better told on a screen that stays.
    client.cluster().await?;
    let mut ends = Ends::new()?;
    let mut app = App::new(client.url(), options.view, now());
    let (tell, mut news) = mpsc::channel(WAITING);
    let watching = tokio::spawn(watch(client.clone(), tell.clone()));
    let mut held = Held::take()?;
    let mut keys = keys();
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        app.tick(now());
        for due in app.due() {
            let (client, tell, at) = (client.clone(), tell.clone(), app.now);
            // Who quits meanwhile does not want to hear of it.
            tokio::spawn(async move { tell.send(ask(&client, due, at).await).await.ok() });
        }
        let mut depth = None;
        held.terminal.draw(|frame| {
            depth = screen::draw(&app, options.look, frame.area(), frame.buffer_mut());
        })?;
        app.drawn_depth = depth;
        let wish = tokio::select! {
            key = keys.recv() => match key {
                Some(Input::Key(key)) => app.press(key),
                Some(Input::Resized) => Wish::Nothing,
                // A terminal that cannot be read any more is gone.
                None => Wish::Quit,
            },
            Some(heard) = news.recv() => {
                app.hear(heard);
                // Whatever else has come by now is on the same screen.
                while let Ok(heard) = news.try_recv() {
                    app.hear(heard);
                }
                Wish::Nothing
            },
            _ = ticks.tick() => Wish::Nothing,
            () = ends.any() => Wish::Quit,
        };
        match wish {
            Wish::Nothing => {}
            Wish::Quit => break,
            Wish::Redraw => held.clear()?,
            Wish::Suspend => held.suspend()?,
            Wish::Order(job, what) => {
                let (client, tell) = (client.clone(), tell.clone());
                tokio::spawn(async move { tell.send(order(&client, job, what).await).await.ok() });
            }
        }
    }
    watching.abort();
    Ok(())
}

/// One screen as text, of a width and a height.
pub async fn once(client: &Client, options: Options, size: (u16, u16)) -> Result<String, Error> {
    let mut app = App::new(client.url(), options.view, now());
    app.hear(News::Picture(std::sync::Arc::new(client.map().await?)));
    for due in app.due() {
        let answer = ask(client, due, app.now).await;
        app.hear(answer);
    }
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    screen::draw(&app, Look { colour: false, ..options.look }, area, &mut buffer);
    Ok(text(&buffer))
}

/// What is on a screen, without blanks at the ends of lines and of the whole.
pub(crate) fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.area.rows() {
        let line: String = row.positions().map(|position| buffer[position].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    format!("{}\n", text.trim_end())
}

async fn watch(client: Client, tell: mpsc::Sender<News>) {
    let mut watching = client.watch();
    loop {
        let news = match watching.next().await {
            Watched::Picture(map) => News::Picture(map),
            Watched::Lost(error) => News::Lost(Failure::from(&error)),
        };
        if tell.send(news).await.is_err() {
            return;
        }
    }
}

/// What comes from the terminal.
enum Input {
    Key(KeyEvent),
    Resized,
}

/// Reads the terminal in a thread of its own, for there is no other way to wait for it; it ends
/// with the process.
fn keys() -> mpsc::Receiver<Input> {
    let (sender, receiver) = mpsc::channel(WAITING);
    std::thread::spawn(move || {
        while let Ok(event) = crossterm::event::read() {
            let input = match event {
                Event::Key(key) if key.kind != KeyEventKind::Release => Input::Key(key),
                Event::Resize(..) => Input::Resized,
                _ => continue,
            };
            if sender.blocking_send(input).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Signals that end a program, after which the terminal is given back.
struct Ends {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Ends {
    fn new() -> Result<Ends, Error> {
        Ok(Ends {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn any(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
