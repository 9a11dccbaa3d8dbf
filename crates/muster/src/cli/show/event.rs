//! Events as lines, one each: they come one by one, so their columns have fixed widths.

use muster_api::view::EventView;

use super::{NOTHING, time};

/// One event.
pub(crate) fn line(event: &EventView) -> String {
    let about = match (&event.job, &event.node) {
        (Some(job), _) => format!("job {job}"),
        (None, Some(node)) => node.clone(),
        (None, None) => NOTHING.to_owned(),
    };
    let moment = time::moment(event.at);
    format!("{moment}  {:<16}  {about:<10}  {}\n", event.kind, event.text)
}
