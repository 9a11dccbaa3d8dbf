//! Reads a booking: `book cooling from +2h to +4h, domains r1 r2, nodes n[5-6], users user-a`.

use muster_model::{BookedPlace, Booking, Leftovers, Name, QueueName};

use super::value;
use crate::story::words::{Parsed, Problem, Words};

const CLAUSES: [&str; 6] = ["nodes", "domains", "everything", "users", "queues", "requeue"];

/// Reads a booking. Without `to` it lasts until it is taken back, and without users and queues it
/// is for nobody.
pub(super) fn book(words: &mut Words) -> Parsed<Booking> {
    let name = value::name(words, "a booking's name")?;
    words.expect("from")?;
    let mut booking = Booking::new(name.as_str(), value::moment(words)?);
    if words.take("to") {
        booking.end = Some(value::moment(words)?);
    }
    while words.next_clause()? {
        clause(words, &mut booking)?;
    }
    Ok(booking)
}

fn clause(words: &mut Words, booking: &mut Booking) -> Parsed<()> {
    let clause = words.plain("a clause about the booking")?;
    match clause.as_str() {
        "nodes" => booking.places.extend(value::hosts(words)?.into_iter().map(BookedPlace::Node)),
        "everything" => booking.places.push(BookedPlace::Domain(Vec::new())),
        "domains" => {
            for path in list(words, "a domain such as `z1/r2`")? {
                let names: Vec<Name> = path.split('/').map(value::parsed).collect::<Parsed<_>>()?;
                booking.places.push(BookedPlace::Domain(names));
            }
        }
        "users" => {
            for user in list(words, "a user's name")? {
                booking.users.push(value::parsed(&user)?);
            }
        }
        "queues" => {
            for queue in list(words, "a queue's name")? {
                booking.queues.push(value::parsed::<QueueName>(&queue)?);
            }
        }
        "requeue" => booking.leftovers = Leftovers::Requeue,
        _ => return Err(Problem::unknown("clause", &clause, &CLAUSES)),
    }
    Ok(())
}

/// One or more words.
fn list(words: &mut Words, expected: &str) -> Parsed<Vec<String>> {
    let mut list = vec![words.plain(expected)?];
    while !words.at_clause_end() {
        list.push(words.plain(expected)?);
    }
    Ok(list)
}
