//! Long lists, page by page.

use muster_api::Page;
use serde::de::DeserializeOwned;

use crate::{Client, Error};

/// The most items that are asked for at once.
pub(crate) const PAGE: usize = 1000;

impl Client {
    /// All items of a list, or the first `most` of them.
    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, Option<String>)],
        most: Option<usize>,
    ) -> Result<Vec<T>, Error> {
        self.list_by("after", path, query, most).await
    }

    /// The same, with the name of the cursor.
    pub(crate) async fn list_by<T: DeserializeOwned>(
        &self,
        cursor: &str,
        path: &[&str],
        query: &[(&str, Option<String>)],
        most: Option<usize>,
    ) -> Result<Vec<T>, Error> {
        let mut items: Vec<T> = Vec::new();
        let mut after: Option<String> = None;
        // Ends: each page brings items towards the bound or ends the list, and a cursor that
        // does not move is refused.
        loop {
            let left = most.map_or(PAGE, |most| (most - items.len()).min(PAGE));
            let mut query = query.to_vec();
            query.push(("limit", Some(left.to_string())));
            if after.is_some() {
                query.retain(|(name, _)| *name != cursor);
                query.push((cursor, after.clone()));
            }
            let request = self.request(reqwest::Method::GET, path, &query);
            let page: Page<T> = self.ask(request).await?;
            items.extend(page.items);
            if page.next.is_none() || most.is_some_and(|most| items.len() >= most) {
                break;
            }
            if page.next == after {
                return Err(self.not_understood(&"a list that does not end"));
            }
            after = page.next;
        }
        items.truncate(most.unwrap_or(usize::MAX));
        Ok(items)
    }
}
