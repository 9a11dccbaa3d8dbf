//! Numbers of things as people read them: one node, two nodes.

/// So many of something: `1 node`, `2 nodes`.
///
/// ```
/// use muster_model::count::several;
///
/// assert_eq!(several(1_u32, "node"), "1 node");
/// assert_eq!(several(0_u64, "node"), "0 nodes");
/// ```
pub fn several(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The verb that goes with a number: `1 is free`, `2 are free`.
///
/// ```
/// use muster_model::count::are;
///
/// assert_eq!((are(1_u32), are(0_u32)), ("is", "are"));
/// ```
pub fn are(number: impl Into<u64>) -> &'static str {
    if number.into() == 1 { "is" } else { "are" }
}
