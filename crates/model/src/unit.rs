//! Integer units: milli-GPU, milli-CPU, MiB, milliseconds. Decisions never see a float.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize};

use crate::quantity::data::{self, Amount};

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident, $read:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// Nothing of this unit.
            pub const ZERO: Self = Self(0);

            /// The difference, or zero where `other` is larger.
            #[must_use]
            pub fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Amount(data::$read)).map(Self)
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }
    };
}

unit!(
    /// Thousandths of one GPU: a whole GPU is 1000.
    MilliGpu,
    gpus
);
unit!(
    /// Thousandths of one CPU.
    MilliCpu,
    cpus
);
unit!(
    /// Mebibytes of memory.
    Mib,
    memory
);
unit!(
    /// A span of time in milliseconds.
    Millis,
    duration
);

impl MilliGpu {
    /// So many whole GPUs.
    pub const fn whole(gpus: u64) -> Self {
        Self(gpus * 1000)
    }
}

impl MilliCpu {
    /// So many whole CPUs.
    pub const fn whole(cpus: u64) -> Self {
        Self(cpus * 1000)
    }
}

impl Mib {
    /// So many gibibytes.
    pub const fn gib(gib: u64) -> Self {
        Self(gib * 1024)
    }
}

impl Millis {
    /// Whether it is no time at all.
    pub fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// So many seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Self(seconds * 1000)
    }

    /// So many minutes.
    pub const fn minutes(minutes: u64) -> Self {
        Self::seconds(minutes * 60)
    }

    /// So many hours.
    pub const fn hours(hours: u64) -> Self {
        Self::minutes(hours * 60)
    }

    /// So many days.
    pub const fn days(days: u64) -> Self {
        Self::hours(days * 24)
    }
}

/// A moment: milliseconds since the Unix epoch, in UTC.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    /// The span from `earlier` to this moment, or zero where `earlier` is later.
    #[must_use]
    pub fn since(self, earlier: Time) -> Millis {
        Millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Millis> for Time {
    type Output = Time;
    fn add(self, span: Millis) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_units_are_made_of_smaller_ones() {
        assert_eq!(Millis::days(1), Millis::seconds(86_400));
        assert_eq!(Millis::hours(2), Millis::minutes(120));
        assert_eq!(Mib::gib(2), Mib(2048));
        assert_eq!(MilliGpu::whole(3), MilliGpu(3000));
        assert_eq!(MilliCpu::whole(3), MilliCpu(3000));
    }

    #[test]
    fn time_never_runs_below_zero_or_beyond_its_end() {
        assert_eq!(Time(5).since(Time(3)), Millis(2));
        assert_eq!(Time(3).since(Time(5)), Millis(0));
        assert_eq!(Time(u64::MAX) + Millis(1), Time(u64::MAX));
        assert_eq!(Mib(1).saturating_sub(Mib(2)), Mib::ZERO);
    }
}
