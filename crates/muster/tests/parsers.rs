//! Nothing that comes from outside makes a reader panic, run away or promise what does not hold.
//! This is the quick part; `cargo xtask fuzz` goes on for as long as it is let.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod parsers {
    mod hostile;
    mod mutate;
    mod seeds;
    mod table;

    use std::panic::{AssertUnwindSafe, catch_unwind};

    use hostile::inputs;
    use mutate::Chance;
    use table::{PARSERS, Parser};

    /// How often each good input is changed.
    const CHANGES: u64 = 1000;

    /// Reads, and says whether it was taken; where reading breaks, says what was read.
    fn read(parser: &Parser, input: &[u8], what: &str) -> bool {
        let read = catch_unwind(AssertUnwindSafe(|| (parser.read)(input)));
        let start = String::from_utf8_lossy(&input[..input.len().min(400)]);
        read.unwrap_or_else(|_| panic!("{} does not stand {what}: {start:?}", parser.name))
    }

    #[test]
    fn good_input_is_read() {
        let mut refused = Vec::new();
        for parser in PARSERS {
            for (at, seed) in parser.seeds.iter().enumerate() {
                if !read(&parser, seed.as_bytes(), &format!("good input {at}")) {
                    refused.push((parser.name, at));
                }
            }
        }
        assert_eq!(refused, [], "good input is taken");
    }

    #[test]
    fn hostile_input_is_refused_in_peace() {
        for (what, input) in inputs() {
            for parser in PARSERS {
                read(&parser, input.as_bytes(), what);
            }
        }
    }

    #[test]
    fn good_input_with_something_changed_is_read_or_refused() {
        for parser in PARSERS {
            for (at, good) in parser.seeds.iter().enumerate() {
                for seed in 0..CHANGES {
                    let input = Chance::new(seed).changed(good);
                    read(&parser, &input, &format!("good input {at} changed by seed {seed}"));
                }
            }
        }
    }
}
