//! The suite that every implementation of the traits passes. A new one gets a line in each list.

#![allow(clippy::unwrap_used, reason = "all of it is tests, also what has no attribute")]

mod support;

mod conformance {
    pub(crate) mod access;
    pub(crate) mod activity;
    pub(crate) mod history;
    pub(crate) mod journal;
    pub(crate) mod ledger;
    pub(crate) mod retention;
}

use conformance::{access, activity, history, journal, ledger, retention};
use muster_store::{Access, History, Journal, MemoryJournal, SqliteHistory};
use support::Folder;

/// Runs a check of the suite against each journal there is.
fn on_journals(check: fn(&mut dyn Journal)) {
    check(&mut MemoryJournal::default());
    let folder = Folder::new();
    check(&mut folder.journal());
}

fn on_access(check: fn(&mut dyn Access)) {
    let folder = Folder::new();
    check(&mut folder.journal().access().expect("the journal is open for writing"));
}

fn on_histories(check: fn(&mut dyn History)) {
    let folder = Folder::new();
    check(&mut SqliteHistory::open(folder.path()).expect("the history opens"));
}

/// One test for each check, by its name.
macro_rules! suite {
    ($run:ident, $module:ident: $($check:ident,)*) => {
        $(#[test] fn $check() { $run($module::$check); })*
    };
}

suite! { on_journals, journal:
    numbers_are_dense_and_batches_are_whole,
    pages_follow_each_other_without_gaps,
    a_batch_with_something_unfit_leaves_nothing,
    the_latest_snapshots_are_kept,
    older_snapshots_are_thinned_out_and_those_far_apart_stay,
    a_snapshot_from_before_what_was_pruned_is_not_kept,
    snapshots_are_found_by_entry,
    a_snapshot_of_the_future_is_refused,
    nothing_is_pruned_without_two_snapshots,
    pruning_stops_at_the_older_snapshot,
    numbers_go_on_after_everything_is_pruned,
    what_was_pruned_is_not_read_in_silence,
    verification_counts_what_is_there,
}

suite! { on_access, access:
    tokens_come_back_as_they_were_added,
    a_taken_id_is_not_overwritten,
    a_token_is_revoked_once,
    a_token_is_used_as_often_as_it_may,
    tokens_of_the_past_are_forgotten,
    the_audit_is_paged_backwards,
    the_audit_is_bounded_by_age_and_count,
    settings_are_changed_and_taken_away,
    no_hash_is_ever_printed,
}

suite! { on_histories, history:
    rows_come_back_as_they_were_recorded,
    recording_again_changes_nothing,
    a_batch_from_before_the_watermark_is_passed_over,
    a_bad_batch_leaves_nothing,
    jobs_are_filtered_and_paged_newest_first,
    a_prefix_is_taken_by_the_letter,
    placements_are_paged_in_order,
    events_are_paged_both_ways,
    events_are_filtered_by_job_and_node,
    the_first_time_a_node_came_is_kept,
    rewinding_forgets_later_events,
    readers_see_what_was_recorded_and_cannot_lag,
}

suite! { on_histories, retention:
    old_jobs_go_with_all_that_is_theirs,
    jobs_events_and_samples_are_kept_for_as_long_as_each_is_wanted,
    the_latest_ended_jobs_are_kept,
    live_jobs_are_never_forgotten,
    forgetting_much_takes_several_calls,
    compaction_gives_pages_back,
}

suite! { on_histories, activity:
    each_gpu_is_told_of_and_those_least_busy_first,
    each_gpu_is_told_of_by_the_hour_once_samples_are_summed_up,
}

suite! { on_histories, ledger:
    sums_are_by_whatever_was_asked,
    what_is_partly_in_counts_in_part,
    saying_the_same_again_changes_nothing,
    a_job_that_changes_its_size_has_a_span_for_each,
    work_after_the_last_save_is_lost,
    the_cluster_owns_its_nodes_until_they_are_long_gone,
    totals_survive_forgetting_and_days_stay_whole,
    samples_become_one_an_hour_and_one_a_day,
    settling_closes_what_was_missed,
    what_lies_apart_is_told_by_who_waited_and_survives_forgetting,
    samples_that_overlap_count_once,
}
