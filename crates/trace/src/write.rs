//! Writing a trace in our own format, as CSV or as JSON lines, plain or in gzip. What is written
//! reads back the same.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::TraceError;
use crate::flat::{COLUMNS, Flat};
use crate::job::{Fault, Job, Text};
use crate::trace::Trace;

/// The two ways to write our format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Columns below a header, the same in every file.
    Csv,
    /// One object a line, without what says nothing.
    JsonLines,
}

/// Whether the file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As it is.
    Plain,
    /// In gzip.
    Gzip,
}

impl Written {
    /// What the name of a file asks for: `.csv` or `.jsonl`, with `.gz` behind or not.
    pub fn by_name(path: &Path) -> Result<(Written, Packing), TraceError> {
        let name = path.display().to_string();
        let (stem, packing) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, Packing::Gzip),
            None => (name.as_str(), Packing::Plain),
        };
        let written = match Path::new(stem).extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Written::Csv,
            Some("jsonl" | "ndjson") => Written::JsonLines,
            _ => return Err(TraceError::Name { name }),
        };
        Ok((written, packing))
    }
}

impl Trace {
    /// Writes a file, in the way that its name asks for.
    pub fn save(&self, path: &Path) -> Result<(), TraceError> {
        let (written, packing) = Written::by_name(path)?;
        let failed = |source| TraceError::Write { name: path.display().to_string(), source };
        let file = BufWriter::new(File::create(path).map_err(failed)?);
        let done = match packing {
            Packing::Plain => self.write(file, written).and_then(|mut file| file.flush()),
            Packing::Gzip => self
                .write(GzEncoder::new(file, Compression::default()), written)
                .and_then(GzEncoder::finish)
                .and_then(|mut file| file.flush()),
        };
        done.map_err(failed)
    }

    /// Writes all jobs and gives the target back.
    pub fn write<W: Write>(&self, mut target: W, written: Written) -> io::Result<W> {
        if written == Written::Csv {
            writeln!(target, "{}", COLUMNS.join(","))?;
        }
        let mut line = String::new();
        for job in &self.jobs {
            job.check().map_err(|fault| refused(job, &fault))?;
            match written {
                Written::Csv => {
                    line.clear();
                    row(job, &mut line);
                    target.write_all(line.as_bytes())?;
                }
                Written::JsonLines => {
                    serde_json::to_writer(&mut target, &Flat::from(job))?;
                    target.write_all(b"\n")?;
                }
            }
        }
        Ok(target)
    }
}

/// What cannot be read back is not written.
fn refused(job: &Job, fault: &Fault) -> io::Error {
    let column = fault.column.as_deref().unwrap_or("the job");
    let text = format!("job {}: {column}: {}", job.id, fault.reason);
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// The cells in the order of [`COLUMNS`].
fn row(job: &Job, line: &mut String) {
    let flat = Flat::from(job);
    let text = |text: &Option<Text>| text.as_deref().map(quoted).unwrap_or_default();
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let count = |count: Option<u32>| number(count.map(u64::from));
    let cells: [String; COLUMNS.len()] = [
        text(&flat.id),
        number(flat.submit_ms),
        number(flat.duration_ms),
        number(flat.waited_ms),
        count(flat.gpus),
        number(flat.gpu_milli),
        number(flat.cpu_milli),
        number(flat.memory_mib),
        count(flat.nodes),
        quoted(&flat.models.join("|")),
        text(&flat.user),
        text(&flat.team),
        text(&flat.pool),
        text(&flat.name),
        text(&flat.outcome),
        number(flat.limit_ms),
        number(flat.estimate_ms),
        number(flat.deadline_ms),
        text(&flat.class),
        number(flat.save_every_ms),
        number(flat.save_ms),
        number(flat.restore_ms),
        number(flat.state_mib),
        count(flat.gpus_min),
        count(flat.gpus_max),
    ];
    for (index, cell) in cells.iter().enumerate() {
        line.push_str(if index == 0 { "" } else { "," });
        line.push_str(cell);
    }
    line.push('\n');
}

/// A cell as CSV has it: in quotes where it would be read as something else.
fn quoted(text: &str) -> String {
    // A mark of byte order at the very start of a file is not read as text; quotes keep it.
    let is_plain = !text.contains([',', '"', '\n', '\r']) && !text.starts_with('\u{feff}');
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests;
