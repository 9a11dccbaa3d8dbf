//! The arithmetic of the accounting. Every amount is the difference of a function of time at the
//! two ends of a span, rounded down at each: so spans that follow each other add up to the whole,
//! exactly, and no part is ever more than what it is a part of.

use std::ops::AddAssign;

/// What was held and what became of it, in GPU-milliseconds.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Amounts {
    /// Held.
    pub allocated: u64,
    /// Of those, measured.
    pub measured: u64,
    /// Of the measured, computing.
    pub active: u64,
    /// Of the computing, in vain for a failure.
    pub failed: u64,
    /// Of the computing, in vain for others that went first.
    pub paused: u64,
    /// Of the computing, in vain for it was cancelled.
    pub cancelled: u64,
    /// Of what was held, while it was launched, saved or put back.
    pub overhead: u64,
}

impl Amounts {
    /// What computed and was kept.
    pub fn useful(&self) -> u64 {
        self.active - self.failed - self.paused - self.cancelled
    }

    pub(crate) fn is_nothing(&self) -> bool {
        *self == Amounts::default()
    }
}

impl AddAssign<&Amounts> for Amounts {
    fn add_assign(&mut self, other: &Amounts) {
        self.allocated += other.allocated;
        self.measured += other.measured;
        self.active += other.active;
        self.failed += other.failed;
        self.paused += other.paused;
        self.cancelled += other.cancelled;
        self.overhead += other.overhead;
    }
}

/// Why an attempt's work after its last save is lost.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cause {
    /// It failed, ran into its limit, or lost a node.
    Failed,
    /// It gave way to others, or was started anew by request.
    Paused,
    /// It was cancelled.
    Cancelled,
}

impl Cause {
    /// The word that the history has for it.
    pub fn word(self) -> &'static str {
        match self {
            Cause::Failed => "failed",
            Cause::Paused => "paused",
            Cause::Cancelled => "cancelled",
        }
    }

    /// The cause of a word.
    pub fn from_word(word: &str) -> Option<Cause> {
        [Cause::Failed, Cause::Paused, Cause::Cancelled]
            .into_iter()
            .find(|cause| cause.word() == word)
    }
}

/// So many thousandths of GPUs from a time until before another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Span {
    pub(crate) from_ms: u64,
    pub(crate) to_ms: u64,
    pub(crate) gpus: u64,
}

impl Span {
    /// GPU-milliseconds held until a time.
    fn until(&self, time_ms: u64) -> u64 {
        let passed = time_ms.clamp(self.from_ms, self.to_ms) - self.from_ms;
        scale(self.gpus, passed, 1000)
    }

    pub(crate) fn within(&self, (from_ms, to_ms): (u64, u64)) -> u64 {
        self.until(to_ms).saturating_sub(self.until(from_ms))
    }
}

/// What an agent has measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Sample {
    pub(crate) from_ms: u64,
    pub(crate) to_ms: u64,
    pub(crate) held: u64,
    pub(crate) active: Option<u64>,
}

/// What a sample says of a span, where the two meet: never more than the span has there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Piece {
    from_ms: u64,
    to_ms: u64,
    held: u64,
    measured: u64,
    active: u64,
}

/// What samples say of a span. They are in order; where they overlap, the earlier one counts.
pub(crate) fn pieces(span: &Span, samples: &[Sample]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut next_ms = span.from_ms;
    for sample in samples {
        let (from_ms, to_ms) = (sample.from_ms.max(next_ms), sample.to_ms.min(span.to_ms));
        let Some(active) = sample.active.filter(|_| from_ms < to_ms) else { continue };
        next_ms = to_ms;
        let length = sample.to_ms - sample.from_ms;
        let part = |amount: u64| {
            let until = |time_ms: u64| scale(amount, time_ms - sample.from_ms, length);
            until(to_ms) - until(from_ms)
        };
        let held = span.within((from_ms, to_ms));
        let measured = part(sample.held).min(held);
        let active = part(active).min(measured);
        pieces.push(Piece { from_ms, to_ms, held, measured, active });
    }
    pieces
}

impl Piece {
    /// What was measured and what computed until a time. Both grow with what is held, by no more.
    fn until(&self, span: &Span, time_ms: u64) -> (u64, u64) {
        let held = span.within((self.from_ms, time_ms.clamp(self.from_ms, self.to_ms)));
        let measured = scale(self.measured, held, self.held);
        (measured, scale(self.active, measured, self.measured))
    }

    fn within(&self, span: &Span, (from_ms, to_ms): (u64, u64)) -> (u64, u64) {
        if to_ms <= self.from_ms || from_ms >= self.to_ms || from_ms >= to_ms {
            return (0, 0);
        }
        let (before, after) = (self.until(span, from_ms), self.until(span, to_ms));
        (after.0 - before.0, after.1 - before.1)
    }
}

/// How the work of an attempt counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Fate {
    /// Why it is lost from then on; nothing of one that completed or still runs is.
    pub(crate) lost: Option<(u64, Cause)>,
}

/// A span with all that is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Holding<'a> {
    pub(crate) span: Span,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) fate: Fate,
    /// Spans of time in which its attempt was launched, saved or put back; they do not meet.
    pub(crate) overheads: &'a [(u64, u64)],
}

impl Holding<'_> {
    /// What it comes to in a span of time.
    pub(crate) fn within(&self, window: (u64, u64)) -> Amounts {
        let mut sum = Amounts { allocated: self.span.within(window), ..Amounts::default() };
        for piece in &self.pieces {
            let (measured, active) = piece.within(&self.span, window);
            sum.measured += measured;
            sum.active += active;
            if let Some((from_ms, cause)) = self.fate.lost {
                let lost = piece.within(&self.span, (window.0.max(from_ms), window.1)).1;
                match cause {
                    Cause::Failed => sum.failed += lost,
                    Cause::Paused => sum.paused += lost,
                    Cause::Cancelled => sum.cancelled += lost,
                }
            }
        }
        for (from_ms, to_ms) in self.overheads {
            let both = (window.0.max(*from_ms), window.1.min(*to_ms));
            sum.overhead += if both.0 < both.1 { self.span.within(both) } else { 0 };
        }
        sum
    }
}

/// What samples come to in an hour or a day, as one that stands in for them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Cell {
    pub(crate) from_ms: u64,
    pub(crate) to_ms: u64,
    pub(crate) measured: u64,
    pub(crate) active: u64,
}

impl Cell {
    /// What the pieces of a span come to from a time until before another, if anything.
    pub(crate) fn of(span: &Span, pieces: &[Piece], window: (u64, u64)) -> Option<Cell> {
        let mut cell: Option<Cell> = None;
        for piece in
            pieces.iter().filter(|piece| piece.from_ms < window.1 && piece.to_ms > window.0)
        {
            let (measured, active) = piece.within(span, window);
            let (from_ms, to_ms) = (piece.from_ms.max(window.0), piece.to_ms.min(window.1));
            let known = cell.get_or_insert(Cell { from_ms, to_ms, ..Cell::default() });
            known.to_ms = to_ms;
            known.measured += measured;
            known.active += active;
        }
        cell
    }
}

/// `amount` * `numerator` / `denominator`, rounded down; nothing of nothing.
fn scale(amount: u64, numerator: u64, denominator: u64) -> u64 {
    if denominator == 0 {
        return 0;
    }
    let scaled = u128::from(amount) * u128::from(numerator) / u128::from(denominator);
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from_ms: u64, to_ms: u64, gpus: u64) -> Span {
        Span { from_ms, to_ms, gpus }
    }

    fn sample(from_ms: u64, to_ms: u64, held: u64, active: u64) -> Sample {
        Sample { from_ms, to_ms, held, active: Some(active) }
    }

    fn holding(span: Span, samples: &[Sample]) -> Holding<'static> {
        let fate = Fate::default();
        Holding { span, pieces: pieces(&span, samples), fate, overheads: &[] }
    }

    #[test]
    fn what_nobody_measured_is_neither_active_nor_idle() {
        let held = holding(span(0, 100, 2000), &[sample(0, 50, 100, 40)]).within((0, 100));
        assert_eq!((held.allocated, held.measured, held.active), (200, 100, 40));
        let none = [Sample { active: None, ..sample(0, 100, 200, 0) }];
        assert_eq!(holding(span(0, 100, 2000), &none).within((0, 100)).measured, 0);
    }

    #[test]
    fn more_is_never_active_than_was_held() {
        let wild = sample(0, 100, 900, 900);
        let held = holding(span(40, 60, 1000), &[wild]).within((0, 100));
        assert_eq!((held.allocated, held.measured, held.active), (20, 20, 20));
    }

    #[test]
    fn samples_that_overlap_count_once() {
        let held = holding(span(0, 100, 1000), &[sample(0, 80, 80, 80), sample(40, 100, 60, 0)]);
        let held = held.within((0, 100));
        assert_eq!((held.measured, held.active), (100, 80));
    }

    #[test]
    fn work_after_the_last_save_is_lost_by_its_cause() {
        let mut held = holding(span(0, 100, 1000), &[sample(0, 100, 100, 50)]);
        held.fate = Fate { lost: Some((60, Cause::Paused)) };
        let sum = held.within((0, 100));
        assert_eq!((sum.active, sum.useful(), sum.paused), (50, 30, 20));
        held.fate = Fate { lost: Some((0, Cause::Failed)) };
        assert_eq!(held.within((0, 100)).useful(), 0);
    }
}
