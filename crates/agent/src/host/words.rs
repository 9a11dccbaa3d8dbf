//! What a program says of itself by files in its own folder: that it has saved, and how far it is.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use muster_engine::command::Running;
use rustix::fs::{Mode, OFlags};

use crate::mind::Happening;

/// How often the progress of one task is passed on; the first word of it is, at once.
const TELL: Duration = Duration::from_secs(10);

/// More than any way to write it.
const PROGRESS_MAX: u64 = 100;

/// The words of one task.
#[derive(Debug)]
pub(super) struct Words {
    of: Running,
    rank: u32,
    saved: Spoken,
    progress: Spoken,
    told: Option<(Instant, Progress)>,
}

/// A file, and when it was last written.
#[derive(Debug)]
struct Spoken {
    path: PathBuf,
    at: Option<SystemTime>,
}

/// How far a program is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Progress {
    /// The step it is at, where it counts them.
    step: Option<u64>,
    /// Parts per million of all its work that are done.
    done_ppm: Option<u32>,
}

impl Words {
    /// Of the task with this folder. What a task that was found has said before is not said again;
    /// all that a new one says is new.
    pub(super) fn new(of: Running, rank: u32, run: &Path, is_found: bool) -> Words {
        let spoken = |name: &str| {
            let path = run.join(name);
            Spoken { at: is_found.then(|| written(&path)).flatten(), path }
        };
        Words { of, rank, saved: spoken("saved"), progress: spoken("progress"), told: None }
    }

    /// What was said since the last look.
    pub(super) fn hear(&mut self) -> Vec<Happening> {
        let of = self.of;
        let mut heard = Vec::new();
        if self.saved.is_new() {
            heard.push(Happening::Saved { of });
        }
        // One task speaks for all of its gang.
        let is_due = self.told.is_none_or(|(at, _)| at.elapsed() >= TELL);
        if self.rank == 0 && is_due && self.progress.is_new() {
            let progress = Progress::read(&self.progress.path);
            let rate = self.told.and_then(|(at, before)| progress.rate(before, at.elapsed()));
            self.told = Some((Instant::now(), progress));
            let rate = rate.unwrap_or_default();
            heard.push(Happening::Progress { of, rate, done_ppm: progress.done_ppm });
        }
        heard
    }
}

impl Spoken {
    fn is_new(&mut self) -> bool {
        let at = written(&self.path);
        let is_new = at.is_some() && at != self.at;
        if is_new {
            self.at = at;
        }
        is_new
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::symlink_metadata(path).and_then(|found| found.modified()).ok()
}

impl Progress {
    /// What a file says. The folder is the program's own, so a link to a file of others is not
    /// followed and a pipe is not waited for.
    fn read(path: &Path) -> Progress {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else {
            return Progress::default();
        };
        let mut text = String::new();
        let read = std::fs::File::from(file).take(PROGRESS_MAX).read_to_string(&mut text);
        if read.is_ok() { Progress::of(text.trim()) } else { Progress::default() }
    }

    /// `37%`, `0.37`, `1200/5000`, or only a step such as `1200`.
    fn of(text: &str) -> Progress {
        if let Some((step, all)) = text.split_once('/') {
            let (Ok(step), Ok(all)) = (step.trim().parse::<u64>(), all.trim().parse::<u64>())
            else {
                return Progress::default();
            };
            let ppm = u128::from(step) * 1_000_000 / u128::from(all.max(1));
            let done_ppm = u32::try_from(ppm.min(1_000_000)).ok();
            return Progress { step: Some(step), done_ppm };
        }
        if let Ok(step) = text.parse::<u64>() {
            return Progress { step: Some(step), done_ppm: None };
        }
        let (text, whole) = text.strip_suffix('%').map_or((text, 1.0), |text| (text, 100.0));
        let done = text.trim().parse::<f64>().ok().map(|part| part / whole);
        let done = done.filter(|done| (0.0..=1.0).contains(done));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is in 0..=1"
        )]
        let done_ppm = done.map(|done| (done * 1e6).round() as u32);
        Progress { step: None, done_ppm }
    }

    /// Steps in 1000 seconds.
    fn rate(self, before: Progress, passed: Duration) -> Option<u32> {
        let steps = self.step?.checked_sub(before.step?)?;
        let ms = passed.as_millis().max(1);
        u32::try_from(u128::from(steps) * 1_000_000 / ms).ok()
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Attempt, JobId};

    use super::*;

    #[test]
    fn progress_is_written_as_people_write_it() {
        for (text, step, done_ppm) in [
            ("1200/5000", Some(1200), Some(240_000)),
            ("7/0", Some(7), Some(1_000_000)),
            ("1200", Some(1200), None),
            ("37%", None, Some(370_000)),
            ("0.5", None, Some(500_000)),
            ("137%", None, None),
            ("nearly", None, None),
            ("", None, None),
            ("1/2/3", None, None),
        ] {
            assert_eq!(Progress::of(text), Progress { step, done_ppm }, "{text}");
        }
    }

    #[test]
    fn steps_give_a_rate() {
        let at = |step| Progress { step: Some(step), done_ppm: None };
        assert_eq!(at(150).rate(at(100), Duration::from_secs(10)), Some(5000));
        assert_eq!(at(50).rate(at(100), Duration::from_secs(10)), None, "it began again");
    }

    #[test]
    fn only_what_is_new_is_heard_and_one_task_speaks_for_all() {
        let folder = tempfile::tempdir().unwrap();
        let of = Running { job: JobId(7), attempt: Attempt(1) };
        std::fs::write(folder.path().join("saved"), "").unwrap();
        let mut new = Words::new(of, 0, folder.path(), false);
        let [mut first, mut second] = [0, 1].map(|rank| Words::new(of, rank, folder.path(), true));
        assert_eq!(new.hear(), [Happening::Saved { of }]);
        assert_eq!(first.hear(), [], "it was said before");
        std::fs::write(folder.path().join("progress"), "40%\n").unwrap();
        let done_ppm = Some(400_000);
        assert_eq!(first.hear(), [Happening::Progress { of, rate: 0, done_ppm }]);
        assert_eq!((first.hear(), second.hear()), (vec![], vec![]));
    }

    #[test]
    fn a_link_to_a_file_of_others_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "12/100").unwrap();
        let link = folder.path().join("progress");
        std::os::unix::fs::symlink(&secret, &link).unwrap();
        assert_eq!(Progress::read(&link), Progress::default());
    }
}
