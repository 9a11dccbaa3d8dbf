//! Ranges: fitted with the least, and widened where that closes a GPU.

use super::support::*;

fn range(least: u64, most: u64) -> JobSpec {
    part(Share::between(MilliGpu(least), MilliGpu(most)))
}

#[test]
fn a_range_closes_a_gpu_where_it_can() {
    let mut c = cards(1, "H100x1").build();
    let found = places(&mut c, [milli(600), range(250, 500)]);
    assert_eq!(found, ["n-1/0:600", "n-1/0:400"]);
}

#[test]
fn a_range_takes_the_least_where_something_would_be_left_anyway() {
    let mut c = cards(1, "H100x1").build();
    let found = places(&mut c, [range(250, 500), range(250, 500), range(250, 500)]);
    assert_eq!(found, ["n-1/0:250", "n-1/0:250", "n-1/0:500"]);
}

#[test]
fn a_range_prefers_the_gpu_it_closes() {
    let mut c = cards(1, "H100x2").build();
    let found = places(&mut c, [milli(500), milli(700), range(250, 500)]);
    assert_eq!(found, ["n-1/0:500", "n-1/1:700", "n-1/1:300"]);
}

#[test]
fn what_a_range_takes_is_what_is_charged_and_given_back() {
    let mut c = cards(1, "H100x1").build();
    c.run(milli(600));
    let job = c.run(range(250, 500));
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(1000));
    c.finish(job);
    assert_eq!(c.engine.accounts()[0].used, MilliGpu(600));
    let again = c.run(milli(400));
    assert_eq!(parts(&c, again), "n-1/0:400");
}

#[test]
fn a_limit_keeps_a_range_at_its_least() {
    let limited = queue("default").limit(Quota { gpus: Some(MilliGpu(900)), ..Quota::default() });
    let mut c = cards(1, "H100x1").queue(limited).build();
    let found = places(&mut c, [milli(600), range(250, 500)]);
    assert_eq!(found, ["n-1/0:600", "n-1/0:250"], "400 would be 100 too many");
    let third = c.submit(range(25, 100));
    assert_eq!(parts(&c, third), "n-1/0:25");
}

#[test]
fn a_limit_that_keeps_one_share_at_its_least_lets_a_smaller_rest_be_closed() {
    let limited = queue("default").limit(Quota { gpus: Some(MilliGpu(1600)), ..Quota::default() });
    let mut c = cards(2, "H100x1").queue(limited).build();
    c.run(milli(300).only_on(nodes_where("@n-1")));
    c.run(milli(700).only_on(nodes_where("@n-2")));
    let mut pair = range(250, 700).spread();
    pair.groups[0].tasks = TaskCount::exactly(2);
    let job = c.run(pair);
    assert_eq!(parts(&c, job), "n-1/0:250 n-2/0:300", "450 more would be too many, 50 are not");
}

#[test]
fn whether_a_gang_of_ranges_fits_is_decided_by_the_least() {
    let mut c = cards(1, "H100x1").build();
    let mut gang = range(250, 600);
    gang.groups[0].tasks = TaskCount::exactly(4);
    let job = c.run(gang);
    assert_eq!(parts(&c, job), "n-1/0:250 n-1/0:250 n-1/0:250 n-1/0:250");
}
