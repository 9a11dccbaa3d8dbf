//! Run times predicted from history, online: every end teaches, every submission asks.
//!
//! ```
//! use muster_model::Millis;
//! use muster_predict::{Counted, Key, Predictor};
//!
//! let mut predictor = Predictor::default();
//! let key = Key { user: Some("user-a"), name: Some("eval"), gpus: 1 };
//! for _ in 0..200 {
//!     let prediction = predictor.predict(&key);
//!     let known = (Some(prediction), Counted::default());
//!     predictor.learn(&key, known, Millis::minutes(5));
//! }
//! let estimate = predictor.predict(&key).corrected;
//! assert!(estimate.median > Millis::minutes(3) && estimate.p90 < Millis::hours(1));
//! ```

mod bins;
mod history;
mod offset;
pub mod predictor;

pub use offset::Coverage;
pub use predictor::{Counted, Key, Prediction, Predictor};
