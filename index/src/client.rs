//! Client of a search engine.

use std::ops::Deref;

use meilisearch_sdk::{
    client::Client,
    errors::Error,
    request::{HttpClient, Method},
    search::{MultiSearchQuery, SearchQuery},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::transport::Transport;

/// The SDK's client over any [`Transport`]. Search responses can also be deserialized into custom types, because the SDK's types flatten
/// each hit, which makes serde buffer it in a map first.
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

    /// Whether the engine is a server. If so, requests cross the network, and a deep page costs as much as all the pages before it.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        matches!(self.transport, Transport::Http(_))
    }

    /// Searches the index `uid`.
    ///
    /// # Errors
    /// If the engine rejects the search or is unreachable, or its response is not an `A`.
    pub async fn search<A>(&self, uid: &str, query: &SearchQuery<'_, Transport>) -> Result<A, Error>
    where
        A: DeserializeOwned + Send + 'static,
    {
        self.post(&format!("/indexes/{uid}/search"), query).await
    }

    /// Runs several searches in one round trip.
    ///
    /// # Errors
    /// If the engine rejects one of them or is unreachable, or its response is not an `A`.
    pub async fn search_many<A>(&self, queries: &MultiSearchQuery<'_, '_, Transport>) -> Result<A, Error>
    where
        A: DeserializeOwned + Send + 'static,
    {
        self.post("/multi-search", queries).await
    }

    /// Makes the embedded engine check the file of the index `uid`, and returns the damage found. A Meilisearch server doesn't support this
    /// call.
    ///
    /// # Errors
    /// If the index doesn't exist or its file cannot be read.
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
