//! What keys and news do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use muster_client::Order;
use muster_model::Time;

use super::*;
use crate::data::Failure;
use crate::scene;

fn press(app: &mut App, keys: &str) -> Wish {
    let mut wish = Wish::Nothing;
    for letter in keys.chars() {
        let code = match letter {
            '\n' => KeyCode::Enter,
            '\u{1b}' => KeyCode::Esc,
            '↓' => KeyCode::Down,
            '↑' => KeyCode::Up,
            letter => KeyCode::Char(letter),
        };
        wish = app.press(KeyEvent::new(code, KeyModifiers::NONE));
    }
    wish
}

fn ids(app: &App) -> Vec<u64> {
    app.listed().iter().map(|job| job.id).collect()
}

#[test]
fn nothing_is_asked_of_a_job_without_a_yes() {
    let mut app = scene::app(View::Jobs);
    press(&mut app, "↓↓");
    let chosen = app.chosen_job.expect("a job is selected");
    assert_eq!(press(&mut app, "c"), Wish::Nothing);
    assert_eq!(app.question.as_ref().map(|question| question.job), Some(chosen));
    assert_eq!(press(&mut app, "n"), Wish::Nothing);
    assert_eq!(app.question, None);
    assert_eq!(press(&mut app, "cy"), Wish::Order(chosen, Order::Cancel));
    assert_eq!(press(&mut app, "hy"), Wish::Order(chosen, Order::Hold));
    assert_eq!(press(&mut app, "ry"), Wish::Order(chosen, Order::Release));
}

#[test]
fn letters_of_a_search_are_not_commands() {
    let mut app = scene::app(View::Jobs);
    assert_eq!(press(&mut app, "/qc1"), Wish::Nothing);
    assert_eq!((app.filter.as_str(), app.view, ids(&app).len()), ("qc1", View::Jobs, 0));
    press(&mut app, "\u{1b}/Vision running\n");
    assert_eq!(ids(&app), [9, 3]);
    // Esc takes it back, and q is a command again.
    press(&mut app, "\u{1b}");
    assert!(ids(&app).len() > 2);
    assert_eq!(press(&mut app, "q"), Wish::Quit);
}

#[test]
fn selection_stays_with_its_job_when_the_list_changes() {
    let mut app = scene::app(View::Jobs);
    press(&mut app, "↓↓↓");
    let chosen = app.chosen_job.expect("a job is selected");
    let before = app.place_of(ids(&app));
    press(&mut app, "ss");
    assert_eq!(app.chosen_job, Some(chosen));
    assert_ne!(app.place_of(ids(&app)), before);
}

#[test]
fn selection_stops_at_both_ends() {
    let mut app = scene::app(View::Jobs);
    press(&mut app, "G↓");
    assert_eq!(app.chosen_job, ids(&app).last().copied());
    press(&mut app, "g↑");
    assert_eq!(app.chosen_job, ids(&app).first().copied());
}

#[test]
fn enter_opens_a_job_and_escape_leads_back_to_it() {
    let mut app = scene::app(View::Cluster);
    press(&mut app, "↓\n");
    let open = app.open.expect("the first is open");
    assert_eq!(app.due(), [Ask::Job(open)]);
    press(&mut app, "\u{1b}");
    assert_eq!((app.open, app.chosen_job), (None, Some(open)));
}

#[test]
fn enter_on_a_queue_leads_to_its_jobs() {
    let mut app = scene::app(View::Queues);
    press(&mut app, "↓↓\n");
    assert_eq!((app.view, app.filter.as_str()), (View::Jobs, "language"));
}

#[test]
fn only_what_is_shown_is_asked_for() {
    let mut app = scene::app(View::Cluster);
    assert_eq!(app.due(), [Ask::Used]);
    press(&mut app, "3");
    assert_eq!(app.due(), [Ask::Queues]);
    assert_eq!(app.due(), []);
    press(&mut app, "2a");
    assert_eq!(app.due(), [Ask::Jobs(Which::Running)]);
}

#[test]
fn what_was_asked_of_a_job_is_told_and_looked_at_at_once() {
    let mut app = scene::app(View::Jobs);
    app.due();
    app.hear(News::Jobs(Which::Alive, Ok(JobList::default())));
    assert_eq!(app.due(), []);
    app.hear(News::Ordered(7, Order::Cancel, Ok(())));
    assert_eq!(app.due(), [Ask::Jobs(Which::Alive)]);
    assert_eq!(app.message.as_ref().map(|said| said.text.as_str()), Some("job 7: is being ended"));
    let failure = Failure { text: "not yours".to_owned(), hint: Some("ask".to_owned()) };
    app.hear(News::Ordered(7, Order::Hold, Err(failure)));
    let said = app.message.clone().expect("it is told");
    assert_eq!((said.text.as_str(), said.is_bad), ("cannot hold job 7: not yours; ask", true));
    app.tick(Time(app.now.0 + 60_000));
    assert_eq!(app.message, None);
}

#[test]
fn what_was_known_stays_when_the_server_does_not_answer() {
    let mut app = scene::app(View::Queues);
    let failure = || Failure { text: "gone".to_owned(), hint: None };
    app.hear(News::Queues(Err(failure())));
    app.hear(News::Lost(failure()));
    assert!(app.data.queues.value.is_some() && app.data.map.is_some());
    // The first loss counts, not the latest try.
    let since = app.now;
    app.tick(Time(app.now.0 + 9000));
    app.hear(News::Lost(failure()));
    assert_eq!(app.data.link, Link::Lost { since, failure: failure() });
}

#[test]
fn view_that_was_opened_twice_is_asked_for_once() {
    let mut app = scene::app(View::Plan);
    assert_eq!(app.due(), [Ask::Plan]);
    press(&mut app, "14");
    assert_eq!(app.due(), []);
}

#[test]
fn zooming_goes_on_from_what_is_on_the_screen() {
    let mut app = scene::app(View::Cluster);
    app.drawn_depth = Some(2);
    press(&mut app, "-");
    assert_eq!(app.depth, Some(1));
    press(&mut app, "-");
    assert_eq!(app.depth, Some(1));
    press(&mut app, "++++++");
    assert_eq!(app.depth, Some(4));
    press(&mut app, "0");
    assert_eq!(app.depth, None);
}
