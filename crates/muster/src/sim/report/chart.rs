//! Charts: lines and areas in SVG that stretches with the page, and words in HTML around it that do
//! not, so that they can be read on a phone too.

use std::fmt::Write as _;

use super::axis::Axis;
use super::html::Html;

/// One thing that is drawn.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its number, which decides its colour and its strokes.
    pub(super) number: usize,
    pub(super) label: String,
    /// Whether all below it is filled.
    pub(super) is_area: bool,
    /// By the axis: where it goes up or down; the last place is the end.
    pub(super) steps: Vec<(f64, f64)>,
}

/// A chart with its words.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    pub(super) title: String,
    /// What is to be seen, for those who cannot see it.
    pub(super) spoken: String,
    pub(super) across: Axis,
    pub(super) up: Axis,
    pub(super) lines: Vec<Line>,
    pub(super) has_legend: bool,
}

/// The drawing has coordinates from 0 to this, however large it is shown.
const SIZE: f64 = 1_000.0;

/// Colours there are; after that they begin anew.
pub(super) const COLOURS: usize = 6;

impl Chart {
    pub(super) fn draw(&self, html: &mut Html) {
        html.tag("figure", &[("class", "chart")], |html| {
            html.tag("figcaption", &[], |html| {
                html.words("b", &[], &self.title);
                html.words("span", &[("class", "unit")], &self.up.label);
            });
            if self.has_legend {
                self.legend(html);
            }
            html.tag("div", &[("class", "plot")], |html| {
                self.drawing(html);
                self.words(html);
            });
            html.words("div", &[("class", "across")], &self.across.label);
        });
    }

    fn legend(&self, html: &mut Html) {
        html.tag("div", &[("class", "legend")], |html| {
            for line in &self.lines {
                html.tag("span", &[], |html| {
                    swatch(html, line.number, line.is_area);
                    html.text(&line.label);
                });
            }
        });
    }

    fn drawing(&self, html: &mut Html) {
        let frame = format!("0 0 {SIZE} {SIZE}");
        let attributes = [
            ("viewBox", frame.as_str()),
            ("preserveAspectRatio", "none"),
            ("role", "img"),
            ("aria-label", &self.spoken),
        ];
        html.tag("svg", &attributes, |html| {
            let grid = self.up.marks.iter().fold(String::new(), |mut path, (mark, _)| {
                let y = SIZE - self.up.place(*mark) * SIZE;
                write!(path, "M0 {y:.1}H{SIZE}").expect("a string takes all text");
                path
            });
            html.empty("path", &[("class", "grid"), ("d", &grid)]);
            for line in &self.lines {
                let class = format!("c{}", line.number % COLOURS);
                let path = self.path(&line.steps);
                if line.is_area {
                    let area = format!("{path}V{SIZE}H0Z");
                    html.empty("path", &[("class", &format!("area {class}")), ("d", &area)]);
                }
                let class = format!("line {class}");
                html.empty("path", &[("class", &class), ("d", &path)]);
            }
        });
    }

    /// A line that is level until it steps up or down.
    fn path(&self, steps: &[(f64, f64)]) -> String {
        let mut path = String::new();
        for (index, &(across, up)) in steps.iter().enumerate() {
            let (x, y) = (self.across.place(across) * SIZE, SIZE - self.up.place(up) * SIZE);
            let written = match index {
                0 => write!(path, "M{x:.1} {y:.1}"),
                _ => write!(path, "H{x:.1}V{y:.1}"),
            };
            written.expect("a string takes all text");
        }
        path
    }

    fn words(&self, html: &mut Html) {
        for (mark, words) in &self.up.marks {
            let style = format!("bottom:{:.2}%", self.up.place(*mark) * 100.0);
            html.words("span", &[("class", "y"), ("style", &style)], words);
        }
        for (index, (mark, words)) in self.across.marks.iter().enumerate() {
            let style = format!("left:{:.2}%", self.across.place(*mark) * 100.0);
            // On a narrow page there is room for every second.
            let class = if index % 2 == 1 { "x odd" } else { "x" };
            html.words("span", &[("class", class), ("style", &style)], words);
        }
    }
}

/// A sample of how a line is drawn.
pub(super) fn swatch(html: &mut Html, number: usize, is_area: bool) {
    let class = format!("{} c{}", if is_area { "area" } else { "line" }, number % COLOURS);
    let attributes = [("class", "swatch"), ("viewBox", "0 0 24 10"), ("aria-hidden", "true")];
    html.tag("svg", &attributes, |html| {
        if is_area {
            html.empty("rect", &[("class", &class), ("width", "24"), ("height", "10")]);
        } else {
            html.empty("path", &[("class", &class), ("d", "M0 5H24")]);
        }
    });
}
