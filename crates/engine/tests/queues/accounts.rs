//! The books of the queues: used, borrowed, lent, owed.

use muster_engine::account::QueueAccount;
use muster_model::MilliGpu;

use crate::support::*;

fn setup() -> Setup {
    cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("a").guarantee(quota(8)))
        .queue(queue("b").guarantee(quota(4)))
        .queue(queue("c").limit(quota(12)))
}

fn book(c: &World, name: &str) -> QueueAccount {
    let books = c.engine.accounts();
    books.into_iter().find(|book| book.queue.as_str() == name).expect("the queue has a book")
}

/// What a queue uses, borrows and lends, in whole GPUs.
fn figures(c: &World, name: &str) -> (u64, u64, u64) {
    let book = book(c, name);
    (book.used.0 / 1000, book.borrowed.0 / 1000, book.lent.0 / 1000)
}

#[test]
fn nothing_is_borrowed_or_lent_in_an_idle_cluster() {
    let c = setup().build();
    for name in ["a", "b", "c"] {
        assert_eq!(figures(&c, name), (0, 0, 0), "queue {name}");
    }
    assert_eq!(book(&c, "a").guarantee, MilliGpu::whole(8));
    assert_eq!(book(&c, "c").limit, Some(MilliGpu::whole(12)));
}

#[test]
fn what_a_queue_uses_inside_its_guarantee_is_its_own() {
    let mut c = setup().build();
    c.run(gang(1, 6).queue("a"));
    assert_eq!(figures(&c, "a"), (6, 0, 0));
    assert_eq!(figures(&c, "b"), (0, 0, 0), "nobody borrows, so nobody lends");
}

#[test]
fn what_siblings_borrow_is_lent_in_proportion_to_what_is_left_unused() {
    let mut c = setup().build();
    c.run(gang(1, 2).queue("a"));
    c.run(gang(1, 5).queue("c"));
    assert_eq!(figures(&c, "c"), (5, 5, 0), "a queue without a guarantee borrows all it uses");
    // Ten are left unused, six by a and four by b; five of them are borrowed.
    assert_eq!(figures(&c, "a"), (2, 0, 3));
    assert_eq!(figures(&c, "b"), (0, 0, 2));
}

#[test]
fn nobody_lends_more_than_it_leaves_unused() {
    let mut c = setup().build();
    c.run(gang(1, 8).queue("b"));
    c.run(gang(1, 8).queue("c"));
    assert_eq!(figures(&c, "b"), (8, 4, 0));
    assert_eq!(figures(&c, "c"), (8, 8, 0));
    assert_eq!(figures(&c, "a"), (0, 0, 8), "twelve are borrowed, eight of them from a");
}

#[test]
fn what_is_given_back_is_lent_no_more() {
    let mut c = setup().build();
    let borrower = c.run(gang(1, 8).queue("c"));
    assert_eq!((book(&c, "a").lent, book(&c, "b").lent), (MilliGpu(5333), MilliGpu(2667)));
    c.finish(borrower);
    assert_eq!(figures(&c, "a"), (0, 0, 0));
    assert_eq!(figures(&c, "c"), (0, 0, 0));
}

#[test]
fn what_is_lent_is_what_is_borrowed_to_the_last_thousandth() {
    let three = ["x", "y", "z"].map(|name| queue(name).guarantee(quota(5)));
    let setup = three.into_iter().fold(cluster().nodes("n", 2, "H100x8"), Setup::queue);
    let mut c = setup.queue(queue("c")).build();
    c.run(gang(1, 1).queue("c"));
    let lent = ["x", "y", "z"].map(|name| book(&c, name).lent.0);
    assert_eq!(lent, [334, 333, 333]);
}

#[test]
fn a_parent_of_which_nothing_is_said_is_guaranteed_what_its_children_are() {
    let mut c = cluster()
        .nodes("n", 2, "H100x8")
        .queue(queue("research"))
        .queue(queue("research/vision").guarantee(quota(4)))
        .queue(queue("research/speech").guarantee(quota(4)))
        .queue(queue("product").guarantee(quota(4)))
        .build();
    c.run(gang(1, 4).queue("research/vision"));
    assert_eq!(book(&c, "research").guarantee, MilliGpu::whole(8));
    assert_eq!(figures(&c, "research"), (4, 0, 0), "its child is within its guarantee");
    assert_eq!(figures(&c, "product"), (0, 0, 0), "so nobody lends");
    c.run(gang(1, 6).queue("product"));
    assert_eq!(figures(&c, "product"), (6, 2, 0));
    assert_eq!(figures(&c, "research"), (4, 0, 2), "speech leaves four, and two of them are used");
    assert_eq!(figures(&c, "research/speech"), (0, 0, 0), "none of them by its sibling");
}

#[test]
fn the_books_tell_who_waits_and_who_has_used_how_much() {
    let mut c = setup().build();
    let first = c.run(gang(1, 8).queue("a"));
    let second = c.run(gang(1, 8).queue("b"));
    c.submit(gang(1, 8).queue("c"));
    assert_eq!(book(&c, "c").lines_waiting, 1);
    c.advance(hours(1));
    c.finish(first);
    c.finish(second);
    let used = ["a", "b", "c"].map(|name| book(&c, name).usage_ppm);
    assert_eq!(used, [500_000, 500_000, 0]);
    assert_eq!(book(&c, "c").lines_waiting, 0, "it has started");
}

#[test]
fn a_share_by_weight_is_a_part_of_what_the_parent_is_entitled_to() {
    let setup = || {
        cluster()
            .nodes("n", 2, "H100x8")
            .queue(queue("research").weight(3))
            .queue(queue("research/vision").weight(1))
            .queue(queue("research/speech").weight(2))
            .queue(queue("product").weight(1))
    };
    let cases = [
        ("research", 750_000),
        ("product", 250_000),
        ("research/vision", 250_000),
        ("research/speech", 500_000),
    ];
    let c = setup().build();
    let among =
        c.engine.accounts().iter().filter(|book| !book.queue.as_str().contains('/')).count();
    assert_eq!(among, 2, "no other queue has a part of it");
    for (name, share) in cases {
        assert_eq!(book(&c, name).share_ppm, share, "queue {name}");
    }
    let mut used = setup().build();
    used.run(gang(1, 8).queue("product"));
    assert_eq!(book(&used, "product").share_ppm, 250_000, "whatever it uses");
}
