//! Figures as people read them: separators, percent, times in the unit that fits.

use muster_model::quantity::separated;

/// A whole number with separators.
pub(super) fn whole(figure: f64) -> String {
    separated(format_args!("{figure:.0}"))
}

/// A share in percent, with one decimal and without the sign.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A number with separators, and with a decimal where it is small.
pub(super) fn tenths(figure: f64) -> String {
    if figure.abs() >= 9.95 || figure == 0.0 { whole(figure) } else { format!("{figure:.1}") }
}

/// A number with separators, and with a decimal where it is not whole.
pub(super) fn amount(figure: f64) -> String {
    if figure.fract() == 0.0 { whole(figure) } else { format!("{figure:.1}") }
}

/// So many of something: `1 job`, `1,000 jobs`.
pub(super) fn count(figure: f64, what: &str) -> String {
    format!("{} {what}{}", whole(figure), if figure == 1.0 { "" } else { "s" })
}

/// A ratio such as `1.17×`; `None` where there is nothing to compare with.
pub(super) fn ratio(part: f64, of: f64) -> Option<String> {
    if !(part.is_finite() && of > 0.0) {
        return None;
    }
    let ratio = part / of;
    Some(match ratio {
        100.0.. => format!("{}×", whole(ratio)),
        10.0.. => format!("{ratio:.1}×"),
        _ => format!("{ratio:.2}×"),
    })
}

/// A time in seconds in the unit that fits: `42 s`, `12 min`, `3.8 h`, `12 d`.
pub(super) fn span(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3_600.0;
    const DAY: f64 = 86_400.0;
    let text = |value: f64, unit: &str| match value {
        10.0.. => format!("{} {unit}", whole(value)),
        _ if unit == "s" && value.fract() == 0.0 => format!("{value:.0} s"),
        _ => format!("{value:.1} {unit}"),
    };
    match seconds {
        s if s < 100.0 => text(s, "s"),
        s if s < 100.0 * MINUTE => text(s / MINUTE, "min"),
        s if s < 72.0 * HOUR => text(s / HOUR, "h"),
        s => text(s / DAY, "days"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ratio, span, whole};

    #[test]
    fn large_figures_have_separators() {
        let figures = [0.4, 999.0, 1_000.0, 12_612.3, 1_234_567.0, -123.0, -1_000.0];
        let texts = figures.map(whole);
        assert_eq!(texts, ["0", "999", "1,000", "12,612", "1,234,567", "-123", "-1,000"]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        let times = [0.0, 4.25, 42.0, 119.0, 720.0, 13_794.0, 72_000.0, 259_200.0, 1_555_200.0];
        let texts = times.map(span);
        let expected = ["0 s", "4.2 s", "42 s", "2.0 min", "12 min", "3.8 h", "20 h", "3.0 days"];
        assert_eq!(texts[..8], expected);
        assert_eq!(texts[8], "18 days");
    }

    #[test]
    fn ratios_have_as_many_digits_as_mean_something() {
        let ratios = [(13_794.0, 11_769.0), (120.0, 10.0), (5_000.0, 2.0)];
        let texts = ratios.map(|(part, of)| ratio(part, of).unwrap());
        assert_eq!(texts, ["1.17×", "12.0×", "2,500×"]);
        assert_eq!(ratio(1.0, 0.0), None);
    }
}
