//! A summary for people: a screen of text, with separators in large counts.

use std::fmt::{self, Write as _};

use muster_model::quantity::separated;

use super::Summary;

/// Bad rows that are shown; the count says how many there are.
const BAD_ROWS_SHOWN: usize = 10;

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let days = self.span_s / 86_400.0;
        writeln!(text, "{}", self.trace)?;
        writeln!(text, "  jobs       {} over {days:.1} days", separated(self.jobs))?;
        writeln!(
            text,
            "  durations  mean {} s, median {} s, p99 {} s",
            rounded(self.mean_duration_s),
            rounded(self.median_duration_s),
            rounded(self.p99_duration_s)
        )?;
        writeln!(
            text,
            "  GPU time   {} GPU-hours, {} GPUs busy on average if nothing waited, largest job {}",
            rounded(self.gpu_hours),
            rounded(self.mean_busy_gpus),
            self.largest_gpus
        )?;
        writeln!(
            text,
            "  people     {} users, {} teams, {} pools, {} names",
            separated(self.users),
            separated(self.teams),
            separated(self.pools),
            separated(self.names)
        )?;
        let outcomes = self.outcomes.iter();
        let outcomes: Vec<_> =
            outcomes.map(|(word, count)| format!("{} {word}", separated(*count))).collect();
        writeln!(text, "  outcomes   {}", listed(&outcomes))?;
        self.write_sizes(&mut text)?;
        self.write_rows(&mut text)?;
        formatter.write_str(&text)
    }
}

impl Summary {
    fn write_sizes(&self, text: &mut String) -> fmt::Result {
        writeln!(
            text,
            "\n  {:>11} {:>11} {:>6} {:>13} {:>6} {:>10}",
            "GPUs", "jobs", "%", "GPU-hours", "%", "median s"
        )?;
        let part = |part: f64, whole: f64| if whole > 0.0 { part * 100.0 / whole } else { 0.0 };
        for size in &self.sizes {
            writeln!(
                text,
                "  {:>11} {:>11} {:>6.1} {:>13} {:>6.1} {:>10}",
                size.gpus,
                separated(size.jobs),
                part(size.jobs as f64, self.jobs as f64),
                rounded(size.gpu_hours),
                part(size.gpu_hours, self.gpu_hours),
                rounded(size.median_duration_s)
            )?;
        }
        Ok(())
    }

    /// What became of the rows; always, so that silence never means that all went well.
    fn write_rows(&self, text: &mut String) -> fmt::Result {
        let left_out = self.left_out.iter();
        let left_out: Vec<_> =
            left_out.map(|(why, count)| format!("{} {why}", separated(*count))).collect();
        writeln!(
            text,
            "\n  rows       {} read: {} jobs, {} bad, left out: {}",
            separated(self.rows),
            separated(self.jobs),
            separated(self.bad_rows),
            listed(&left_out)
        )?;
        for row in self.first_bad_rows.iter().take(BAD_ROWS_SHOWN) {
            writeln!(text, "    {row}")?;
        }
        if self.repeated_ids > 0 {
            writeln!(text, "  {} jobs have the id of another", separated(self.repeated_ids))?;
        }
        Ok(())
    }
}

fn listed(parts: &[String]) -> String {
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// A figure without decimals, with separators; small ones keep one.
fn rounded(figure: f64) -> String {
    if figure < 10.0 {
        return format!("{figure:.1}");
    }
    separated(format_args!("{figure:.0}"))
}
