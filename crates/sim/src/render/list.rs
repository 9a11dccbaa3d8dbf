//! Lists as people write them: `4-8,11`, `n[1-4]`, `gpus 0-3`.

use muster_model::GpuSet;

/// Numbers that go up, with runs as ranges.
pub(super) fn numbers(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let shown = runs.into_iter().map(|(first, last)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    });
    shown.collect::<Vec<_>>().join(",")
}

/// GPUs of one node (`gpu 0`, `gpus 0-3`).
pub(super) fn gpus(gpus: GpuSet) -> String {
    let word = if gpus.count() == 1 { "gpu" } else { "gpus" };
    match gpus.is_empty() {
        true => "no gpus".to_owned(),
        false => format!("{word} {}", gpu_numbers(gpus)),
    }
}

/// The same without the word.
pub(super) fn gpu_numbers(gpus: GpuSet) -> String {
    numbers(gpus.iter().map(u64::from))
}

/// Names that share a beginning are put together, in the order given: `n[1-4] spare`.
pub(super) fn hosts(names: &[String]) -> String {
    let mut shown: Vec<String> = Vec::new();
    let mut rest = names;
    while let Some((first, _)) = rest.split_first() {
        let Some((beginning, _)) = split(first) else {
            shown.push(first.clone());
            rest = &rest[1..];
            continue;
        };
        let alike = rest.iter().take_while(|name| is_alike(name, beginning)).count();
        let ends = rest[..alike].iter().filter_map(|name| split(name)).map(|(_, number)| number);
        shown.push(match alike {
            1 => first.clone(),
            _ => format!("{beginning}[{}]", numbers(ends)),
        });
        rest = &rest[alike..];
    }
    shown.join(" ")
}

fn is_alike(name: &str, beginning: &str) -> bool {
    split(name).is_some_and(|(other, _)| other == beginning)
}

/// A name without the number at its end, and the number; `None` where putting the number back
/// would not give the name (leading zeros, too large).
fn split(name: &str) -> Option<(&str, u64)> {
    let beginning = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let number = name[beginning.len()..].parse().ok()?;
    (format!("{beginning}{number}") == name).then_some((beginning, number))
}

#[cfg(test)]
mod tests {
    use super::{hosts, numbers};

    #[test]
    fn runs_of_numbers_become_ranges() {
        assert_eq!(numbers([1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(numbers([]), "");
    }

    #[test]
    fn hosts_with_one_beginning_share_a_bracket_and_keep_their_order() {
        let names = ["n1", "n2", "n4", "spare", "m3"].map(str::to_owned);
        assert_eq!(hosts(&names), "n[1-2,4] spare m3");
    }

    #[test]
    fn leading_zeros_are_kept() {
        let names = ["n01", "n02"].map(str::to_owned);
        assert_eq!(hosts(&names), "n01 n02");
    }
}
