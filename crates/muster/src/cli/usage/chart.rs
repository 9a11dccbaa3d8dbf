//! Bars in SVG: one for the whole funnel, and one for each hour or day.

use muster_api::usage::Stages;

use crate::sim::report::html::Html;

/// The drawing has coordinates from 0 to this, however large it is shown.
const SIZE: f64 = 1000.0;

/// The parts that a bar is made of, from the bottom, with the style of each.
pub(super) const PARTS: [(&str, &str); 6] = [
    ("useful", "u-useful"),
    ("lost", "u-lost"),
    ("idle", "u-idle"),
    ("not measured", "u-unmeasured"),
    ("unallocated, idle", "u-free"),
    ("unallocated, unusable", "u-unusable"),
];

/// How much each part is.
pub(super) fn parts(funnel: &Stages) -> [u64; 6] {
    let left = funnel.unallocated.unwrap_or_default();
    [funnel.useful, funnel.lost.sum(), funnel.idle, funnel.unmeasured, left.idle, left.unusable]
}

/// What the colours mean.
pub(super) fn legend(html: &mut Html) {
    html.tag("div", &[("class", "legend")], |html| {
        for (name, style) in PARTS {
            html.tag("span", &[], |html| {
                let frame = [("class", "swatch"), ("viewBox", "0 0 16 6"), ("aria-hidden", "true")];
                html.tag("svg", &frame, |html| {
                    html.empty("rect", &[("class", style), ("width", "16"), ("height", "6")]);
                });
                html.text(name);
            });
        }
    });
}

/// One bar that lies.
pub(super) fn lying(html: &mut Html, funnel: &Stages, spoken: &str) {
    let frame = [
        ("viewBox", "0 0 1000 40"),
        ("preserveAspectRatio", "none"),
        ("class", "u-lying"),
        ("role", "img"),
        ("aria-label", spoken),
    ];
    html.tag("svg", &frame, |html| {
        let all: u64 = parts(funnel).iter().sum();
        let mut from = 0.0;
        for ((_, style), part) in PARTS.iter().zip(parts(funnel)) {
            let width = share(part, all) * SIZE;
            let (x, width_text) = (format!("{from:.2}"), format!("{width:.2}"));
            let place = [("class", *style), ("x", &x), ("width", &width_text), ("height", "40")];
            if part > 0 {
                html.empty("rect", &place);
            }
            from += width;
        }
    });
}

/// One bar for each span of time.
pub(super) fn standing(html: &mut Html, funnels: &[&Stages], spoken: &str) {
    let frame = [
        ("viewBox", "0 0 1000 1000"),
        ("preserveAspectRatio", "none"),
        ("role", "img"),
        ("aria-label", spoken),
    ];
    let sum = |funnel: &Stages| parts(funnel).iter().sum::<u64>();
    let most = funnels.iter().map(|funnel| sum(funnel)).max().unwrap_or(0);
    let step = SIZE / funnels.len().max(1) as f64;
    html.tag("svg", &frame, |html| {
        for (number, funnel) in funnels.iter().enumerate() {
            let mut top = SIZE;
            for ((_, style), part) in PARTS.iter().zip(parts(funnel)) {
                let height = share(part, most) * SIZE;
                top -= height;
                let x = format!("{:.2}", number as f64 * step + step * 0.08);
                let (y, width) = (format!("{top:.2}"), format!("{:.2}", step * 0.84));
                let height = format!("{height:.2}");
                let place = [
                    ("class", *style),
                    ("x", &x),
                    ("y", &y),
                    ("width", &width),
                    ("height", &height),
                ];
                if part > 0 {
                    html.empty("rect", &place);
                }
            }
        }
    });
}

fn share(part: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { part as f64 / of as f64 }
}
