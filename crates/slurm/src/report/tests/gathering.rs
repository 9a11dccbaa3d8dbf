//! Elements of arrays that one line stands for.

use super::fixed::{element, running};
use crate::report::{Sorting, gathered};
use crate::words::{Reason, State};

fn labels(jobs: Vec<crate::report::JobFacts>) -> Vec<String> {
    gathered(jobs).iter().map(crate::report::JobFacts::label).collect()
}

#[test]
fn elements_that_wait_for_the_same_are_one_line() {
    let mut first = element(1);
    first.state = State::Running;
    let jobs = vec![first, element(5), element(3), element(4), running()];
    assert_eq!(labels(jobs), ["4_1", "4_[3-5%2]", "2"]);
    let gathered = gathered(vec![element(3), element(4)]);
    assert_eq!(gathered[0].id, 4, "the number of the array, as on Slurm");
}

#[test]
fn elements_that_wait_for_other_things_or_have_run_stand_alone() {
    let mut again = element(4);
    again.restarts = 1;
    let mut held = element(5);
    held.reason = Reason::JobHeldUser;
    assert_eq!(labels(vec![element(3), again, held]), ["4_[3%2]", "4_4", "4_[5%2]"]);
}

#[test]
fn long_lists_of_indexes_are_cut() {
    let jobs = (0..200).step_by(2).map(element).collect();
    let labels = labels(jobs);
    assert!(labels[0].ends_with("...%2]") && labels[0].len() < 80, "{labels:?}");
}

#[test]
fn lines_are_sorted_by_partition_state_and_priority() {
    let mut low = element(3);
    low.priority = 1;
    let mut other = running();
    (other.id, other.partition) = (9, "a".to_owned());
    let mut jobs = vec![running(), low, element(2), other];
    Sorting::default().sort(&mut jobs, super::fixed::NOW);
    let ids: Vec<u64> = jobs.iter().map(|job| job.id).collect();
    assert_eq!(ids, [9, 6, 7, 2]);
    Sorting::read("-i").sort(&mut jobs, super::fixed::NOW);
    assert_eq!(jobs[0].id, 9);
}
