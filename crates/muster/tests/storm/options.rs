//! How big the storm is, and which one.

/// The size of a storm. The default is the one of every test run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) seed: u64,
    /// Jobs of one task.
    pub(crate) jobs: u64,
    /// Jobs of several tasks over several nodes.
    pub(crate) gangs: u64,
    pub(crate) kills: u64,
    pub(crate) json: bool,
}

impl Options {
    /// Reads the words; nothing where the test runner wants something else. Words that other test
    /// programs know are passed over.
    pub(crate) fn read(words: &[String]) -> Result<Option<Options>, String> {
        let mut options = Options { seed: 6, jobs: 150, gangs: 8, kills: 6, json: false };
        let mut filters = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let to = match word.as_str() {
                "--seed" => &mut options.seed,
                "--jobs" => &mut options.jobs,
                "--gangs" => &mut options.gangs,
                "--kills" => &mut options.kills,
                "--json" => {
                    options.json = true;
                    continue;
                }
                "--list" => {
                    println!("storm: test");
                    return Ok(None);
                }
                "--test-threads" | "--format" | "--skip" => {
                    words.next();
                    continue;
                }
                other => {
                    filters.extend((!other.starts_with('-')).then(|| other.to_owned()));
                    continue;
                }
            };
            let number = words.next().ok_or_else(|| format!("{word} wants a number"))?;
            *to = number.parse().map_err(|_| format!("{word}: `{number}` is not a number"))?;
        }
        let is_meant = filters.is_empty() || filters.iter().any(|filter| "storm".contains(filter));
        Ok(is_meant.then_some(options))
    }
}
