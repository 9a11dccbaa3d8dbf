//! `muster top`: the cluster on the terminal, live.

use std::io::IsTerminal;

use anyhow::Result;
use clap::{Args, ValueEnum};
use muster_tui::{Look, Options, View};

use super::connect::Connect;
use super::print;

/// What a screen has where there is no terminal to ask: what everybody's had once.
const SIZE: Size = Size { width: 80, height: 24 };

/// Screens beyond these are a slip of the finger.
const SIDE_MAX: u16 = 1000;

/// Watch the cluster, its jobs, queues and plan on the terminal, and act on jobs
#[derive(Debug, Args)]
#[command(after_help = "Keys:
  1 2 3 4   cluster, jobs, queues, plan     Enter  all about the selected job
  /         find jobs                       c h r  cancel, hold, release it
  ?         all keys                        q      quit

Examples:
  muster top
  muster top --view jobs
  ssh head-node muster top --once --size 120x40")]
pub(crate) struct Top {
    /// What to show first
    #[arg(long, value_enum, default_value_t = Shown::Cluster)]
    view: Shown,

    /// Print one screen as text and end
    #[arg(long)]
    once: bool,

    /// How large that screen is [default: the terminal's, or 80x24]
    #[arg(long, value_name = "WIDTHxHEIGHT", requires = "once")]
    size: Option<Size>,

    #[command(flatten)]
    connect: Connect,
}

/// The views by their names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shown {
    Cluster,
    Jobs,
    Queues,
    Plan,
}

impl From<Shown> for View {
    fn from(shown: Shown) -> View {
        match shown {
            Shown::Cluster => View::Cluster,
            Shown::Jobs => View::Jobs,
            Shown::Queues => View::Queues,
            Shown::Plan => View::Plan,
        }
    }
}

/// The size of a screen in letters.
#[derive(Clone, Copy, Debug)]
struct Size {
    width: u16,
    height: u16,
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=SIDE_MAX).contains(side));
        let read = text
            .split_once('x')
            .and_then(|(width, height)| Some(Size { width: side(width)?, height: side(height)? }));
        read.ok_or_else(|| format!("expected two numbers up to {SIDE_MAX}, such as 120x40"))
    }
}

impl Top {
    pub(crate) async fn run(&self) -> Result<()> {
        let look = Look::of(|name| std::env::var(name).ok());
        let options = Options { view: self.view.into(), look };
        let client = self.connect.client()?;
        if !self.once {
            return Ok(muster_tui::run(&client, options).await?);
        }
        let Size { width, height } = self.size.or_else(terminal).unwrap_or(SIZE);
        print::text(&muster_tui::once(&client, options, (width, height)).await?)
    }
}

/// The size of the terminal that the output goes to.
fn terminal() -> Option<Size> {
    let stdout = std::io::stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok())??;
    let (width, height) = (size.ws_col, size.ws_row);
    // The prompt needs a line.
    (width > 0 && height > 1).then(|| Size { width, height: height - 1 })
}
