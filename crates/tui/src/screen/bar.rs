//! Bars made of letters. Each part has a sign of its own, so that they read without colour.

use ratatui::style::Style;
use ratatui::text::Span;

/// Parts of a whole, one after the other; what is left is the last sign.
pub(crate) fn bar<'a>(
    parts: &[(u64, &str, Style)],
    whole: u64,
    width: usize,
    rest: (&str, Style),
) -> Vec<Span<'a>> {
    let wide = u64::try_from(width).unwrap_or(u64::MAX);
    let mut spans = Vec::new();
    let (mut sum, mut drawn) = (0_u64, 0_usize);
    for (part, sign, style) in parts {
        sum = sum.saturating_add(*part).min(whole);
        // To the nearest letter, but what is there at all is seen.
        let to = sum.saturating_mul(wide).saturating_add(whole / 2).checked_div(whole).unwrap_or(0);
        let to = usize::try_from(to).unwrap_or(width).max(drawn + usize::from(*part > 0));
        let to = to.min(width);
        spans.push(Span::styled(sign.repeat(to - drawn), *style));
        drawn = to;
    }
    spans.push(Span::styled(rest.0.repeat(width - drawn), rest.1));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parts: &[(u64, &str)], whole: u64, width: usize) -> String {
        let parts: Vec<_> = parts.iter().map(|(part, sign)| (*part, *sign, Style::new())).collect();
        let spans = bar(&parts, whole, width, (".", Style::new()));
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn bar_is_as_wide_as_it_should_be() {
        assert_eq!(text(&[(5, "#"), (2, "+")], 10, 10), "#####++...");
        assert_eq!(text(&[(1, "#")], 1000, 5), "#....");
        assert_eq!(text(&[(9, "#"), (9, "+")], 10, 4), "####");
        assert_eq!(text(&[(0, "#")], 0, 4), "....");
    }
}
