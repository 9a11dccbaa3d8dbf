//! Tables of values, right and wrong. Where Slurm 22.05 answers, the answers are the same.

mod amounts;
mod conditions;
mod places;
mod words;

use std::fmt::Display;
use std::str::FromStr;

use muster_model::Invalid;

/// Each text is read, and written back like this; what is written is read as the same.
fn written<T>(table: &[(&str, &str)])
where
    T: FromStr<Err = Invalid> + Display + PartialEq + std::fmt::Debug,
{
    for (text, expected) in table {
        let value = text.parse::<T>().unwrap_or_else(|refused| panic!("{text}: {refused}"));
        assert_eq!(value.to_string(), *expected, "{text}");
        assert_eq!(value.to_string().parse::<T>(), Ok(value), "{text}");
    }
}

/// Each text is refused with words that name what is allowed.
fn refused<T>(allowed: &str, texts: &[&str])
where
    T: FromStr<Err = Invalid> + std::fmt::Debug,
{
    for text in texts {
        let refused = text.parse::<T>().expect_err(text);
        assert!(refused.allowed.contains(allowed), "{refused}");
    }
}
