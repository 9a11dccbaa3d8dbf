//! Promises about every script: no panic, nothing lost in silence, written as it was read.

use std::collections::BTreeSet;

use muster_model::{Level, Time};
use proptest::prelude::*;

use super::generator::{Plausible, scripts};
use super::reading::example;
use crate::command::Command;
use crate::options::{self, Kind, Takes};
use crate::request::{Mapping, Request, Sources};
use crate::script::Script;
use crate::values::Clock;
use crate::{Refused, request::Reading};

fn read(text: &str) -> Result<Reading, Vec<Refused>> {
    let script = Script::read(text.as_bytes())?;
    Request::read(Command::Sbatch, Sources { script: Some(script), ..Sources::default() })
}

/// The long names of the words a request is written with.
fn names(words: &[String]) -> BTreeSet<String> {
    let name = |word: &String| {
        let bare = word.trim_start_matches('-');
        bare.split('=').next().unwrap_or_default().to_owned()
    };
    words.iter().map(name).collect()
}

fn mapping() -> Mapping {
    let clock = Clock { now: Time(1_800_000_000_000), offset_s: 3600 };
    Mapping { clock, switch: Some(Level::from("rack")), block: Some(Level::from("block")) }
}

/// A few options of one command in any combination, with values that may be nonsense.
fn words(command: Command) -> impl Strategy<Value = Vec<String>> {
    let rows: Vec<_> = options::of(command).collect();
    let word = (prop::sample::select(rows), "[0-9a-z:,%@&|\\[\\]*+=-]{0,8}", prop::bool::ANY);
    let word = word.prop_map(|(row, value, is_good)| match row.takes {
        Takes::Nothing => format!("--{}", row.name),
        _ if is_good => format!("--{}={}", row.name, example(row.name)),
        _ => format!("--{}={value}", row.name),
    });
    prop::collection::vec(word, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn directives_of_plausible_scripts_are_in_the_request_or_refused(script in scripts()) {
        let Plausible { text, names: given } = script;
        match read(&text) {
            Err(refused) => {
                let told: Vec<String> = refused.iter().map(ToString::to_string).collect();
                prop_assert!(told.iter().all(|line| line.contains("--")), "{told:?}\n{text}");
            }
            Ok(reading) => {
                let written = names(&reading.request.to_words());
                for name in given {
                    // Of a yes and a no the later counts; the other is overruled, not forgotten.
                    let is_there = match name {
                        "requeue" | "no-requeue" => reading.request.run.requeue.is_some(),
                        name => written.contains(name),
                    };
                    prop_assert!(is_there, "--{name} is lost in {written:?}\n{text}");
                }
                let late = usize::from(text.ends_with("#SBATCH --time=1\n"));
                let ignored = reading.notes.iter().filter(|note| {
                    matches!(note, crate::request::Note::Ignored(_))
                });
                prop_assert_eq!(ignored.count(), late);
            }
        }
    }

    #[test]
    fn plausible_scripts_become_jobs_or_are_refused(script in scripts()) {
        if let Ok(reading) = read(&script.text) {
            let parts = reading.request.job(&mapping());
            if let Ok(parts) = parts {
                let tasks: u32 = parts.groups.iter().map(|group| group.tasks.min).sum();
                prop_assert_eq!(tasks, parts.allocation.count());
                let gpus = parts.groups.iter().map(|it| u64::from(it.tasks.min * it.task.gpus));
                prop_assert_eq!(gpus.sum::<u64>(), parts.allocation.gpus());
            }
        }
    }

    #[test]
    fn plausible_scripts_are_written_as_they_were_read(script in scripts()) {
        if let Ok(Reading { request, .. }) = read(&script.text) {
            let words = request.to_words();
            let again = Request::from_words(Command::Sbatch, words.clone());
            prop_assert_eq!(again.map(|reading| reading.request), Ok(request), "{:?}", words);
        }
    }

    #[test]
    fn any_options_are_read_or_refused_and_written_as_they_were_read(
        (command, words) in prop::sample::select(&Command::ALL[..])
            .prop_flat_map(|command| (Just(command), words(command)))
    ) {
        let Ok(reading) = Request::from_words(command, words.clone()) else { return Ok(()) };
        let request = reading.request;
        let written = request.to_words();
        let again = Request::from_words(command, written.clone());
        prop_assert_eq!(again.map(|reading| reading.request), Ok(request.clone()), "{:?}", written);
        prop_assert!(request.job(&mapping()).is_ok() || request.step.job.is_some()
            || request.place.segment.is_some());
        for word in names(&words) {
            let row = options::by_name(command, &word).expect("made from the table");
            let is_refused = matches!(row.kind, Kind::Unsupported(_));
            prop_assert!(!is_refused, "--{word} was accepted");
        }
    }

    #[test]
    fn any_bytes_are_a_script_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut script = b"#!/bin/sh\n#SBATCH ".to_vec();
        script.extend(&bytes);
        for bytes in [&bytes, &script] {
            if let Ok(script) = Script::read(bytes) {
                let sources = Sources { script: Some(script), ..Sources::default() };
                if let Ok(reading) = Request::read(Command::Sbatch, sources) {
                    prop_assert!(reading.request.to_words().len() < 200);
                }
            }
        }
    }

    #[test]
    fn any_directive_is_read_or_refused(line in "(--?[a-zA-Z-]{0,12}[ =]?[^\n]{0,12} ?){0,3}") {
        let text = format!("#!/bin/sh\n#SBATCH {line}\n");
        if let Ok(Reading { request, .. }) = read(&text) {
            let again = Request::from_words(Command::Sbatch, request.to_words());
            prop_assert_eq!(again.map(|reading| reading.request), Ok(request));
        }
    }
}

#[test]
fn most_plausible_scripts_are_accepted() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let mut accepted = 0;
    for _ in 0..400 {
        let script = scripts().new_tree(&mut runner).expect("a script").current();
        accepted += usize::from(read(&script.text).is_ok());
    }
    assert!(accepted > 200, "{accepted} of 400");
}
