//! The table is sound, and words become the settings that Slurm would see.

use std::collections::BTreeSet;

use super::{Arguments, Kind, OptionRow, all, by_prefix, of};
use crate::command::Command;

fn settings(command: Command, words: &[&str]) -> Result<Vec<(String, Option<String>)>, String> {
    let words = words.iter().map(|&word| word.to_owned());
    let arguments = Arguments::read(command, words).map_err(|refused| refused.to_string())?;
    let pair = |setting: super::Setting| (setting.row.name.to_owned(), setting.value);
    Ok(arguments.settings.into_iter().map(pair).collect())
}

fn sbatch(words: &[&str]) -> Vec<(String, Option<String>)> {
    settings(Command::Sbatch, words).expect("good words")
}

fn refusal(words: &[&str]) -> String {
    settings(Command::Sbatch, words).expect_err("bad words")
}

#[test]
fn names_and_letters_are_unique_for_each_command() {
    for command in Command::ALL {
        let (mut names, mut letters) = (BTreeSet::new(), BTreeSet::new());
        for row in of(command) {
            assert!(names.insert(row.name), "{command} has --{} twice", row.name);
            if let Some(letter) = row.letter {
                assert!(letters.insert(letter), "{command} has -{letter} twice");
            }
        }
    }
}

#[test]
fn every_name_leads_to_its_own_row_even_where_it_begins_others() {
    for command in Command::ALL {
        for row in of(command) {
            assert_eq!(by_prefix(command, row.name), Ok(row));
        }
    }
}

#[test]
fn the_options_of_the_scripts_we_know_are_all_in_the_table() {
    let used = "time job-name output cpus-per-task nodes partition gres mem error ntasks-per-node \
        account ntasks mail-type exclusive qos mail-user constraint gpus-per-node gpus-per-task \
        hint gpus array mem-per-gpu nodelist exclude container-image container-mounts open-mode \
        requeue cpus-per-gpu container-env mem-per-cpu wait-all-nodes no-requeue reservation \
        signal dependency ntasks-per-core overcommit chdir export container-workdir \
        container-writable gpu-bind comment no-container-entrypoint segment wckey nice licenses";
    for name in used.split_whitespace() {
        let row = by_prefix(Command::Sbatch, name).expect("known");
        assert!(!matches!(row.kind, Kind::Unsupported(_)), "--{name}");
    }
}

#[test]
fn reasons_and_advice_are_clauses_in_lower_case() {
    for OptionRow { name, kind, .. } in all() {
        if let Kind::Accepted(words) | Kind::Unsupported(words) = kind {
            let first = words.split(' ').next().unwrap_or_default();
            let is_proper = ["CPUs", "GPUs", "X11"].contains(&first);
            assert!(is_proper || first.to_lowercase() == first, "--{name}: {words}");
            assert!(!words.ends_with('.'), "--{name}: {words}");
        }
    }
}

#[test]
fn values_are_read_in_every_style() {
    let two = [("nodes".to_owned(), Some("2".to_owned()))];
    for words in [&["--nodes=2"][..], &["--nodes", "2"], &["-N2"], &["-N", "2"]] {
        assert_eq!(sbatch(words), two, "{words:?}");
    }
}

#[test]
fn letters_may_stand_together_until_one_takes_the_rest() {
    assert_eq!(
        sbatch(&["-HQN2", "-vv"]).iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        ["hold", "quiet", "nodes", "verbose", "verbose"]
    );
    // As on Slurm an equals sign belongs to the value of a letter.
    assert_eq!(sbatch(&["-N=2"]), [("nodes".to_owned(), Some("=2".to_owned()))]);
}

#[test]
fn optional_values_stand_in_the_same_word_only() {
    let words = ["--exclusive", "user"].map(str::to_owned);
    let arguments = Arguments::read(Command::Sbatch, words).expect("good");
    assert_eq!(arguments.settings[0].value, None);
    assert_eq!(arguments.rest, ["user"]);
    assert_eq!(sbatch(&["--exclusive=user"])[0].1.as_deref(), Some("user"));
    let srun = settings(Command::Srun, &["-K1", "-I"]).expect("good");
    assert_eq!(srun[0], ("kill-on-bad-exit".to_owned(), Some("1".to_owned())));
    assert_eq!(srun[1], ("immediate".to_owned(), None));
}

#[test]
fn options_end_at_the_first_other_word_and_at_two_dashes() {
    for words in [&["-N2", "a.sh", "-N3"][..], &["-N2", "--", "a.sh", "-N3"], &["-N2", "-", "-x"]] {
        let words = words.iter().map(|&word| word.to_owned());
        let arguments = Arguments::read(Command::Sbatch, words).expect("good");
        assert_eq!(arguments.settings.len(), 1);
        assert_eq!(arguments.rest.len(), 2);
    }
}

#[test]
fn beginnings_of_names_are_enough_where_only_one_has_them() {
    assert_eq!(sbatch(&["--err=x"])[0].0, "error");
    assert_eq!(sbatch(&["--constrain=x"])[0].0, "constraint");
    assert_eq!(sbatch(&["--mem=1"])[0].0, "mem");
}

#[test]
fn refusals_say_what_was_meant() {
    for (words, message) in [
        (
            &["--mem-p=3"][..],
            "command line: --mem-p may be --mem-per-cpu or --mem-per-gpu\n\
             hint: write more of its letters",
        ),
        (
            &["--partiton=x"],
            "command line: sbatch has no option --partiton\nhint: did you mean --partition?",
        ),
        (&["--cpu-bind=cores"], "command line: --cpu-bind is an option of srun, not of sbatch"),
        (&["-l"], "command line: -l is an option of srun, not of sbatch"),
        (&["-1"], "command line: sbatch has no option -1"),
        (&["-N"], "command line: -N needs a value"),
        (&["--hold=yes"], "command line: --hold takes no value, but has `yes`"),
    ] {
        assert_eq!(refusal(words), message);
    }
}
