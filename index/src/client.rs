//! The client of an engine.

use std::ops::Deref;

use meilisearch_sdk::{
    client::Client,
    errors::Error,
    request::{HttpClient, Method},
    search::{MultiSearchQuery, SearchQuery},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::transport::Transport;

/// The SDK's client over any [`Transport`]; its searches are read by types of one's own as well. The SDK's types flatten each hit, so
/// that serde keeps all of it in a map of its own before it reads it.
#[derive(Clone)]
pub struct SearchClient {
    sdk: Client<Transport>,
    transport: Transport,
    host: String,
}

impl SearchClient {
    pub(crate) fn new(host: &str, key: Option<&str>, transport: Transport) -> Self {
        let sdk = Client::new_with_client(host, key, transport.clone());
        Self { sdk, transport, host: host.to_owned() }
    }

    /// Whether the engine is a server: a request travels, and pages far down cost it as much as all before them.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// The answer of a search of the index `uid`.
    ///
    /// # Errors
    /// The engine refuses the search or can't be reached; its answer is no `A`.
    pub async fn search<A>(&self, uid: &str, query: &SearchQuery<'_, Transport>) -> Result<A, Error>
    where
        A: DeserializeOwned + Send + 'static,
    {
        self.post(&format!("/indexes/{uid}/search"), query).await
    }

    /// The answer of several searches in one round trip.
    ///
    /// # Errors
    /// The engine refuses one of them or can't be reached; its answer is no `A`.
    pub async fn search_many<A>(&self, queries: &MultiSearchQuery<'_, '_, Transport>) -> Result<A, Error>
    where
        A: DeserializeOwned + Send + 'static,
    {
        self.post("/multi-search", queries).await
    }

    /// What is wrong with the file of the index `uid`, which the embedded engine reads for it; `None` when nothing is. A Meilisearch server
    /// doesn't know the call.
    ///
    /// # Errors
    /// There is no such index; the file can't be read.
    pub async fn damage(&self, uid: &str) -> Result<Option<String>, Error> {
        #[derive(Deserialize)]
        struct Checked {
            damage: Option<String>,
        }
        let checked: Checked = self.post(&format!("/indexes/{uid}/check"), &()).await?;
        Ok(checked.damage)
    }

    async fn post<B, A>(&self, path: &str, body: &B) -> Result<A, Error>
    where
        B: Serialize + Send + Sync,
        A: DeserializeOwned + Send + 'static,
    {
        self.transport.request(&format!("{}{path}", self.host), Method::Post { body, query: () }, 200).await
    }
}

impl Deref for SearchClient {
    type Target = Client<Transport>;

    fn deref(&self) -> &Client<Transport> {
        &self.sdk
    }
}
