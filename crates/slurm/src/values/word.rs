//! Options whose value is one of a few words.

use std::fmt;
use std::str::FromStr;

use muster_model::Invalid;
use serde::{Deserialize, Serialize};

use super::refuse;

/// An enumeration with a word for each variant; the first of several words is the one printed.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $field:literal, $allowed:literal,
     { $($(#[$item:meta])* $variant:ident: $word:literal $(| $other:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$item])* $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Its word.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl FromStr for $name {
            type Err = Invalid;

            fn from_str(text: &str) -> Result<$name, Invalid> {
                match text.to_ascii_lowercase().as_str() {
                    $($word $(| $other)* => Ok($name::$variant),)*
                    _ => Err(refuse($field, text, $allowed)),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.word())
            }
        }
    };
}

words!(
    /// What happens to output files that are there already.
    OpenMode, "open-mode", "expected append or truncate",
    {
        /// Write behind what they hold.
        Append: "append" | "a",
        /// Begin them anew.
        Truncate: "truncate" | "t",
    }
);

words!(
    /// What kind of program runs.
    Hint, "hint", "expected compute_bound, memory_bound, multithread or nomultithread",
    {
        /// Uses all cores of each socket.
        ComputeBound: "compute_bound",
        /// Uses one core of each socket.
        MemoryBound: "memory_bound",
        /// Uses the threads of a core.
        Multithread: "multithread",
        /// Uses one thread of each core.
        NoMultithread: "nomultithread",
    }
);

words!(
    /// Who may share a job's nodes; nobody where no word is given.
    Exclusive, "exclusive", "expected no value, user, mcs or topo",
    {
        /// Jobs of the same user.
        User: "user",
        /// Jobs of the same label.
        Mcs: "mcs",
        /// Nobody in the same part of the topology.
        Topo: "topo",
    }
);
