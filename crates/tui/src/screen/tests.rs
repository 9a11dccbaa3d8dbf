//! Screens as people see them, at 80×24 and at odd sizes.

use std::sync::Arc;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Modifier;

use super::*;
use crate::app::Shown;
use crate::live::text;
use crate::news::News;
use crate::scene;

const FULL: Look = Look { colour: true, unicode: true };

fn buffer(app: &App, look: Look, (width, height): (u16, u16)) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("no terminal fails");
    terminal
        .draw(|frame| {
            draw(app, look, frame.area(), frame.buffer_mut());
        })
        .expect("no terminal fails");
    terminal.backend().buffer().clone()
}

fn shown(app: &App) -> String {
    text(&buffer(app, FULL, (80, 24)))
}

fn failure() -> Failure {
    let text = "cannot reach the server at http://127.0.0.1:7070: connection refused".to_owned();
    Failure { text, hint: Some("is the address right, and does the server run?".to_owned()) }
}

#[test]
fn cluster_by_state() {
    insta::assert_snapshot!(shown(&scene::app(View::Cluster)));
}

#[test]
fn cluster_by_activity_and_team() {
    let mut app = scene::app(View::Cluster);
    app.shown = Shown::Activity;
    insta::assert_snapshot!("cluster_by_activity", shown(&app));
    app.shown = Shown::Team;
    insta::assert_snapshot!("cluster_by_team", shown(&app));
}

#[test]
fn cluster_without_signs_beyond_ascii() {
    let mut app = scene::app(View::Cluster);
    app.shown = Shown::Activity;
    let plain = Look { colour: false, unicode: false };
    let drawn = text(&buffer(&app, plain, (80, 24)));
    assert!(drawn.is_ascii(), "{drawn}");
    insta::assert_snapshot!(drawn);
}

#[test]
fn nothing_is_coloured_where_colours_are_not_wanted() {
    let plain = Look { colour: false, unicode: true };
    for view in View::ALL {
        let drawn = buffer(&scene::app(view), plain, (80, 24));
        let reset = ratatui::style::Color::Reset;
        assert!(drawn.content.iter().all(|cell| (cell.fg, cell.bg) == (reset, reset)));
    }
}

#[test]
fn gpus_of_the_selected_job_are_lit() {
    let mut app = scene::app(View::Cluster);
    app.chosen_job = Some(9);
    let drawn = buffer(&app, FULL, (80, 24));
    let is_lit = |cell: &&ratatui::buffer::Cell| {
        cell.modifier.contains(Modifier::REVERSED) && cell.symbol() == "█"
    };
    // Two GPUs; the bar in the header is not among them.
    assert_eq!(drawn.content.iter().filter(is_lit).count(), 2);
}

#[test]
fn jobs_queues_and_plan() {
    let mut app = scene::app(View::Jobs);
    app.chosen_job = Some(10);
    insta::assert_snapshot!("jobs", shown(&app));
    insta::assert_snapshot!("queues", shown(&scene::app(View::Queues)));
    insta::assert_snapshot!("plan", shown(&scene::app(View::Plan)));
}

#[test]
fn one_job_with_its_why() {
    let mut app = scene::app(View::Jobs);
    app.open = Some(3);
    insta::assert_snapshot!("job_asked_for", shown(&app));
    app.hear(News::Job(3, Ok(Box::new(scene::one_job()))));
    insta::assert_snapshot!("job", shown(&app));
    // Beyond the end there is nothing: the last line stays at the bottom.
    app.scroll = 1000;
    insta::assert_snapshot!("job_small_at_its_end", text(&buffer(&app, FULL, (60, 12))));
}

#[test]
fn question_search_and_message_take_the_last_line() {
    let mut app = scene::app(View::Jobs);
    let last = |app: &App| shown(app).lines().last().unwrap_or_default().to_owned();
    app.question = Some(crate::app::Question {
        job: 10,
        name: "big-run".to_owned(),
        order: muster_client::Order::Cancel,
    });
    assert_eq!(last(&app), "cancel job 10 big-run? y/n");
    (app.question, app.is_typing, app.filter) = (None, true, "vision".to_owned());
    assert!(last(&app).starts_with("/vision█"), "{}", last(&app));
    app.is_typing = false;
    app.say("job 10: is being ended".to_owned(), false);
    assert_eq!(last(&app), "job 10: is being ended");
}

#[test]
fn help() {
    let mut app = scene::app(View::Cluster);
    app.has_help = true;
    insta::assert_snapshot!(shown(&app));
}

#[test]
fn lost_connection_is_above_what_is_old() {
    let mut app = scene::app(View::Cluster);
    app.hear(News::Lost(failure()));
    app.tick(muster_model::Time(scene::NOW.0 + 75_000));
    insta::assert_snapshot!(shown(&app));
}

#[test]
fn before_the_first_picture_and_without_permission() {
    let mut app = App::new("http://127.0.0.1:7070", View::Cluster, scene::NOW);
    insta::assert_snapshot!("connecting", shown(&app));
    let text = "viewers of queue vision may not look at the cluster".to_owned();
    let hint = Some("ask an operator for a role that allows it".to_owned());
    app.hear(News::Lost(Failure { text: text.clone(), hint: hint.clone() }));
    insta::assert_snapshot!("not_allowed", shown(&app));
    let mut app = scene::app(View::Queues);
    app.data.queues = crate::data::Known::default();
    app.hear(News::Queues(Err(Failure { text, hint })));
    insta::assert_snapshot!("queues_not_allowed", shown(&app));
}

#[test]
fn empty_cluster_says_what_to_do() {
    let mut app = scene::app(View::Cluster);
    let mut map = scene::map();
    (map.nodes, map.jobs, map.largest) = (Vec::new(), Vec::new(), Vec::new());
    app.hear(News::Picture(Arc::new(map)));
    insta::assert_snapshot!("empty_cluster", shown(&app));
    let mut map = scene::map();
    map.jobs.clear();
    map.nodes.iter_mut().for_each(|node| node.held.clear());
    app.hear(News::Picture(Arc::new(map)));
    insta::assert_snapshot!("idle_cluster", shown(&app));
}

#[test]
fn large_cluster_is_shown_as_deep_as_there_is_room() {
    let mut app = scene::app(View::Cluster);
    app.hear(News::Picture(Arc::new(scene::large(4))));
    insta::assert_snapshot!("large_cluster", shown(&app));
    // A hundred thousand GPUs.
    app.hear(News::Picture(Arc::new(scene::large(196))));
    insta::assert_snapshot!("huge_cluster", shown(&app));
    app.depth = Some(4);
    app.scroll = 3;
    insta::assert_snapshot!("huge_cluster_by_gpus", shown(&app));
}

#[test]
fn wide_and_tiny_screens() {
    let wide = text(&buffer(&scene::app(View::Cluster), FULL, (160, 40)));
    insta::assert_snapshot!("wide_cluster", wide);
    insta::assert_snapshot!("wide_jobs", text(&buffer(&scene::app(View::Jobs), FULL, (160, 12))));
    for view in View::ALL {
        let tiny = text(&buffer(&scene::app(view), FULL, (40, 10)));
        insta::assert_snapshot!(format!("tiny_{}", view.word()), tiny);
    }
    insta::assert_snapshot!("too_small", text(&buffer(&scene::app(View::Jobs), FULL, (24, 5))));
}

#[test]
fn every_size_can_be_drawn() {
    let mut open = scene::app(View::Jobs);
    open.open = Some(3);
    open.hear(News::Job(3, Ok(Box::new(scene::one_job()))));
    let mut lost = scene::app(View::Plan);
    lost.hear(News::Lost(failure()));
    let mut apps: Vec<App> = View::ALL.map(scene::app).into();
    apps.extend([open, lost]);
    for app in &apps {
        for size in
            (0..=130).step_by(7).flat_map(|width| (0..=30).map(move |height| (width, height)))
        {
            buffer(app, FULL, size);
        }
    }
}
