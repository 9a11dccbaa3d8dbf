//! Plays every story of `scenarios/stories`. With `MUSTER_UPDATE_STORIES=1` the answers are
//! written into the stories instead; read them before you keep them.

use std::path::{Path, PathBuf};
use std::{env, fs};

use muster_sim::story::Story;

/// The stories, in the order of their names.
fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/stories");
    let entries = fs::read_dir(&folder).expect("the repository has a folder of stories");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut stories: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "story")).collect();
    stories.sort();
    stories
}

fn name(path: &Path) -> String {
    path.file_name().expect("a story is a file").to_string_lossy().into_owned()
}

/// What is wrong with a story; nothing where it is as told, or was updated.
fn complaint(path: &Path, update: bool) -> Option<String> {
    let text = fs::read_to_string(path).expect("a story can be read");
    let told = Story::read(&name(path), &text)
        .and_then(|story| story.play().map(|played| (story, played)));
    let (story, played) = match told {
        Ok(told) => told,
        Err(error) => return Some(format!("{error}\n")),
    };
    if update {
        fs::write(path, story.rewritten(&played)).expect("a story can be written");
        return None;
    }
    Some(played.complaint()).filter(|complaint| !complaint.is_empty())
}

#[test]
fn stories_are_told_as_they_are_written() {
    let update = env::var_os("MUSTER_UPDATE_STORIES").is_some();
    let stories = stories();
    let complaints: Vec<String> =
        stories.iter().filter_map(|path| complaint(path, update)).collect();
    assert!(stories.len() >= 20, "only {} stories were found", stories.len());
    assert!(
        complaints.is_empty(),
        "{} stories are told differently; where the engine is right, run again with \
         MUSTER_UPDATE_STORIES=1\n{}",
        complaints.len(),
        complaints.concat()
    );
}

#[test]
fn stories_have_a_title_and_expect_something() {
    for path in stories() {
        let text = fs::read_to_string(&path).expect("a story can be read");
        let story = Story::read(&name(&path), &text).unwrap_or_else(|error| panic!("{error}"));
        assert!(!story.title().is_empty(), "{} has no title", name(&path));
        assert!(text.contains("      > "), "{} expects nothing", name(&path));
    }
}

#[test]
fn stories_played_twice_print_the_same() {
    for path in stories() {
        let text = fs::read_to_string(&path).expect("a story can be read");
        let story = Story::read(&name(&path), &text).unwrap_or_else(|error| panic!("{error}"));
        let play = || story.play().unwrap_or_else(|error| panic!("{error}"));
        let (first, second) = (play(), play());
        assert_eq!(story.rewritten(&first), story.rewritten(&second));
    }
}
