//! `muster top` as people use it: the real binary on a terminal of its own, with a whole cluster.

#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;
#[path = "support/patience.rs"]
mod patience;
#[path = "top/screen.rs"]
mod screen;
#[path = "top/terminal.rs"]
mod terminal;

use cluster::Cluster;
use rustix::process::Signal;
use terminal::Terminal;

const DOWN: &str = "\x1b[B";

/// A cluster of eight GPUs with a job that has two of them and one that waits for eight.
fn busy() -> (Cluster, u64, u64) {
    let cluster = Cluster::start(1);
    let sleeper = cluster.submit(&["--name", "sleeper", "--gpus", "2", "--", "sleep", "600"]);
    cluster.event(sleeper, "job-running");
    let giant = cluster.submit(&["--name", "giant", "--gpus", "8", "--", "sleep", "600"]);
    (cluster, sleeper, giant)
}

#[test]
fn jobs_are_seen_found_opened_and_cancelled_by_keys() {
    let (cluster, sleeper, giant) = busy();
    let mut terminal = Terminal::start(&cluster, &["top"], (80, 24));
    let first = terminal.until(|screen| screen.contains("live") && screen.contains("sleeper"));
    assert!(first.contains("2 of 8 GPUs 25%") && first.contains("██······"), "{first}");

    terminal.send("2");
    terminal.until(|screen| screen.contains("giant") && screen.contains("sleeper"));
    terminal.send("/gian\r");
    terminal.until(|screen| screen.contains("giant") && !screen.contains("sleeper"));
    terminal.send(&format!("{DOWN}\r"));
    let page = terminal.until(|screen| screen.contains("timeline"));
    assert!(page.contains(&format!("job {giant} giant")) && page.contains("why"), "{page}");

    terminal.send("c");
    terminal.until(|screen| screen.contains(&format!("cancel job {giant} giant? y/n")));
    terminal.send("n");
    terminal.until(|screen| screen.contains("nothing was done"));
    terminal.send("c");
    terminal.until(|screen| screen.contains("y/n"));
    terminal.send("y");
    cluster.event(giant, "job-cancelled");
    terminal.until(|screen| screen.contains("cancelled"));
    assert_eq!(cluster.job(sleeper)["job"]["state"], "running");

    terminal.send("q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn screen_follows_the_size_of_the_terminal() {
    let (cluster, ..) = busy();
    let mut terminal = Terminal::start(&cluster, &["top", "--view", "jobs"], (80, 24));
    terminal.until(|screen| screen.contains("giant") && screen.lines().count() == 24);
    terminal.resize((50, 10));
    terminal.until(|screen| {
        let is_narrow = screen.lines().all(|line| line.chars().count() <= 50);
        is_narrow && screen.contains("giant") && screen.lines().count() == 10
    });
    terminal.send("q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn screen_is_drawn_anew_when_asked_and_after_a_suspension() {
    let cluster = Cluster::start(1);
    let mut terminal = Terminal::start(&cluster, &["top"], (80, 24));
    terminal.until(|screen| screen.contains("live"));
    // Nobody could wake it here, so the system does not let it sleep: it goes on at once.
    for key in ["\x0c", "\x1a"] {
        terminal.blank();
        terminal.send(key);
        terminal.until(|screen| screen.contains("live") && screen.contains("q quit"));
    }
    terminal.send("q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn signal_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let cluster = Cluster::start(1);
        let terminal = Terminal::start(&cluster, &["top"], (80, 24));
        terminal.until(|screen| screen.contains("live"));
        terminal.signal(signal);
        assert_eq!(terminal.end().code(), Some(0), "{signal:?}");
    }
}

#[test]
fn server_that_goes_away_is_told_above_what_was_seen() {
    let (mut cluster, ..) = busy();
    let mut terminal = Terminal::start(&cluster, &["top"], (80, 24));
    terminal.until(|screen| screen.contains("live") && screen.contains("sleeper"));
    cluster.down();
    let lost = terminal.until(|screen| screen.contains("no news for"));
    assert!(lost.contains("trying again") && lost.contains("sleeper"), "{lost}");
    terminal.send("q");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn without_a_terminal_there_is_one_screen_or_a_way_out() {
    let (cluster, ..) = busy();
    let said = cluster.muster(&["top"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert!(said.err.contains("needs a terminal"), "{said:?}");
    assert!(said.err.contains("muster jobs") && said.err.contains("--once"), "{said:?}");
    for (view, words) in [("cluster", "sleeper"), ("jobs", "giant"), ("queues", "default")] {
        let out = cluster.ok(&["top", "--once", "--view", view, "--size", "100x20"]);
        assert!(out.contains(words) && !out.contains('\x1b'), "{view}: {out}");
        assert!(out.lines().count() <= 20 && out.lines().all(|line| line.chars().count() <= 100));
    }
}
