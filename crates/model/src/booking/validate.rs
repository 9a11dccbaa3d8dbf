//! What makes a booking acceptable in a cluster; which nodes there are is for its caller to know.

use crate::booking::{BookedPlace, Booking};
use crate::bound::{BOOKED_PLACES_MAX, MEMBERS_MAX, TIME_MAX};
use crate::cluster::ClusterSpec;
use crate::error::Invalid;
use crate::field::Field;
use crate::known::{Kind, Known};
use crate::problems::Problems;

impl Booking {
    /// Everything wrong with the booking in this cluster.
    ///
    /// ```
    /// use muster_model::{Booking, ClusterSpec, Time};
    ///
    /// let booking = Booking::new("cooling", Time(5000)).until(Time(1000)).node("n1");
    /// let problems = booking.validate(&ClusterSpec::default()).unwrap_err();
    /// let expected = "end: 1000 is not allowed; expected a time after the start, 5000";
    /// assert_eq!(problems[0].to_string(), expected);
    /// ```
    pub fn validate(&self, cluster: &ClusterSpec) -> Result<(), Vec<Invalid>> {
        let mut problems = Problems::default();
        let booking = Field::WHOLE;
        problems.name(&booking.field("name"), &self.name);
        self.check_people(cluster, &mut problems);
        let places = booking.field("places");
        if problems.length(&places, "places", self.places.len(), 1..=BOOKED_PLACES_MAX) {
            problems.unique(&places, None, &self.places, |place| place);
            self.check_places(cluster, &places, &mut problems);
        }
        problems.range(&booking.field("start"), self.start.0, 0..=TIME_MAX.0);
        if let Some(end) = self.end {
            let field = booking.field("end");
            let allowed = format!("expected a time after the start, {}", self.start.0);
            problems.holds(end > self.start, &field, || end.0.to_string(), allowed);
            problems.range(&field, end.0, 0..=TIME_MAX.0);
        }
        problems.result()
    }

    fn check_people(&self, cluster: &ClusterSpec, problems: &mut Problems) {
        let (users, queues) = (Field::WHOLE.field("users"), Field::WHOLE.field("queues"));
        if problems.length(&users, "users", self.users.len(), 0..=MEMBERS_MAX) {
            problems.unique(&users, None, &self.users, |user| user);
            for (index, user) in self.users.iter().enumerate() {
                problems.name(&users.at(index), user);
            }
        }
        if problems.length(&queues, "queues", self.queues.len(), 0..=MEMBERS_MAX) {
            problems.unique(&queues, None, &self.queues, |queue| queue);
            for (index, queue) in self.queues.iter().enumerate() {
                if cluster.queue(queue).is_none() {
                    let names = cluster.names(Kind::Queue);
                    let (at, kind) = (queues.at(index), Kind::Queue.plural());
                    problems.unknown(&at, queue.as_str(), kind, names);
                }
            }
        }
    }

    fn check_places(&self, cluster: &ClusterSpec, places: &Field<'_>, problems: &mut Problems) {
        for (index, place) in self.places.iter().enumerate() {
            let at = places.at(index);
            match place {
                BookedPlace::Node(name) => problems.name(&at, name),
                BookedPlace::Domain(path) => {
                    let levels = cluster.levels.len();
                    problems.length(&at, "levels", path.len(), 0..=levels);
                    path.iter().for_each(|name| problems.name(&at, name));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::QueueSpec;
    use crate::unit::Time;

    fn problems(booking: &Booking) -> Vec<String> {
        let cluster = ClusterSpec::default().levels(["rack"]).queues([QueueSpec::new("team")]);
        let found = booking.validate(&cluster).err().unwrap_or_default();
        found.iter().map(|invalid| invalid.field.clone()).collect()
    }

    fn good() -> Booking {
        Booking::new("b", Time(10)).until(Time(20)).domain(["r1"]).node("n1").queue("team")
    }

    #[test]
    fn a_booking_with_nodes_people_and_a_span_is_accepted() {
        assert_eq!(problems(&good().user("user-a")), Vec::<String>::new());
    }

    #[test]
    fn each_thing_wrong_is_named_by_its_field() {
        let table = [
            (Booking::new("b", Time(10)), "places"),
            (good().until(Time(10)), "end"),
            (good().queue("other"), "queues[1]"),
            (good().user("a b"), "users[0]"),
            (good().user("user-a").user("user-a"), "users[1]"),
            (good().node("n1"), "places[2]"),
            (good().domain(["r1", "too", "deep"]), "places[2]"),
            (Booking { name: "a b".into(), ..good() }, "name"),
            (Booking { end: None, start: Time(u64::MAX), ..good() }, "start"),
        ];
        for (booking, field) in table {
            assert_eq!(problems(&booking), [field], "{booking:?}");
        }
    }

    #[test]
    fn bookings_meet_where_both_last() {
        let span =
            |start, end: Option<u64>| Booking { end: end.map(Time), start: Time(start), ..good() };
        let first = span(10, Some(20));
        assert!(!first.meets(&span(20, Some(30))), "one ends as the other starts");
        assert!(first.meets(&span(19, Some(30))));
        assert!(first.meets(&span(0, None)));
        assert!(!first.meets(&span(20, None)));
        assert!(span(0, None).meets(&first));
    }

    #[test]
    fn a_queue_lets_in_those_below_it_and_nobody_lets_in_nobody() {
        let booking = good().user("user-b");
        assert!(booking.lets_in(&"user-a".into(), &"team".into()));
        assert!(booking.lets_in(&"user-a".into(), &"team/x".into()));
        assert!(booking.lets_in(&"user-b".into(), &"other".into()));
        assert!(!booking.lets_in(&"user-a".into(), &"teams".into()));
        let nobody = Booking::new("b", Time(1)).node("n1");
        assert!(!nobody.lets_in(&"user-a".into(), &"team".into()));
    }
}
