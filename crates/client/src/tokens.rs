//! Tokens: making, listing and revoking them.

use muster_api::join::{JoinMade, JoinRequest};
use muster_api::{TokenRequest, TokenView};
use reqwest::Method;

use crate::{Client, Error};

impl Client {
    /// Makes a token. Its secret is in the answer and nowhere else.
    pub async fn make_token(&self, request: &TokenRequest) -> Result<TokenView, Error> {
        self.ask(self.request(Method::POST, &["tokens"], &[]).json(request)).await
    }

    /// Makes a join token. It is in the answer and nowhere else.
    pub async fn make_join_token(&self, request: &JoinRequest) -> Result<JoinMade, Error> {
        self.ask(self.request(Method::POST, &["tokens", "join"], &[]).json(request)).await
    }

    /// All tokens this client's user may see, without their secrets.
    pub async fn tokens(&self) -> Result<Vec<TokenView>, Error> {
        self.list(&["tokens"], &[], None).await
    }

    /// Makes a token worthless.
    pub async fn revoke_token(&self, id: &str) -> Result<(), Error> {
        self.tell(self.request(Method::DELETE, &["tokens", id], &[])).await
    }
}
