//! Reads callgrind's messages: the one figure we need is the total of collected instructions.

use anyhow::{Context, Result, bail};

/// The label callgrind puts before its totals.
const LABEL: &str = "Collected :";

/// The number of instructions collected, from what valgrind wrote on stderr.
pub(crate) fn collected(messages: &str) -> Result<u64> {
    let figures = messages
        .lines()
        .find_map(|line| line.split_once(LABEL).map(|(_, figures)| figures))
        .with_context(|| format!("valgrind printed no `{LABEL}` line:\n{messages}"))?;
    let first = figures
        .split_whitespace()
        .next()
        .with_context(|| format!("no figure after `{LABEL}` in:\n{messages}"))?;
    let total = first
        .replace(',', "")
        .parse::<u64>()
        .with_context(|| format!("`{first}` after `{LABEL}` is not a number"))?;
    if total == 0 {
        bail!(
            "nothing was collected: the measured function was never entered\n\
             hint: it must be marked #[inline(never)] and keep its symbol"
        );
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::collected;

    fn messages(collected: &str) -> String {
        format!(
            "==71== Callgrind, a call-graph generating cache profiler\n\
             ==71== Command: muster bench case fill\n\
             ==71== \n\
             ==71== Events    : Ir\n\
             {collected}\n\
             ==71== I   refs:      987,654\n"
        )
    }

    #[test]
    fn the_total_is_read_from_the_collected_line() {
        assert_eq!(collected(&messages("==71== Collected : 1234567")).unwrap(), 1_234_567);
    }

    #[test]
    fn the_first_of_several_events_counts_and_separators_are_ignored() {
        assert_eq!(collected(&messages("==71== Collected : 1,234,567 88 9")).unwrap(), 1_234_567);
    }

    #[test]
    fn messages_without_a_total_are_an_error_that_shows_them() {
        let error = collected("==71== cannot find the program").unwrap_err().to_string();
        assert!(error.contains("cannot find the program"), "{error}");
    }

    #[test]
    fn a_total_of_zero_is_an_error_because_the_function_was_missed() {
        let error = collected(&messages("==71== Collected : 0")).unwrap_err().to_string();
        assert!(error.contains("never entered"), "{error}");
    }

    #[test]
    fn a_total_that_is_no_number_is_an_error() {
        assert!(collected(&messages("==71== Collected : many")).is_err());
        assert!(collected(&messages("==71== Collected :")).is_err());
    }
}
