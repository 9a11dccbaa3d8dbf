//! Answers to "why": what keeps a job, when it will start, what would start it sooner, and why it
//! got the place it got.

mod support;

mod explanation {
    mod agreement;
    mod alternatives;
    mod decision;
    mod estimate;
    mod foresee;
    mod foreseen;
    mod known;
    mod latest;
    mod limit_reasons;
    mod numbers;
    mod outlook;
    mod random;
    mod room_reasons;
    mod scattered;
    mod truth;
    mod waiting_reasons;
    mod words;
}
