//! HTTP clients for signed-in members.

use reqwest::{
    Client,
    header::{CONTENT_TYPE, COOKIE},
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgPool;

use crate::node::Node;

/// Browser of a signed-in member.
pub struct Browser {
    /// Id of the member.
    pub id: i64,
    client: Client,
    cookie: String,
    /// IP address of the client, sent in the proxy's `X-Forwarded-For`.
    address: String,
}

impl Browser {
    /// Creates a member whose account is a year old.
    pub async fn member(pool: &PgPool, name: &str) -> Self {
        let insert = "insert into users (username, email, email_confirmed_at, created_at)
                      values ($1, $1 || '@members.example', now(), now() - interval '1 year') returning id";
        let id: i64 = sqlx::query_scalar(insert).bind(name).fetch_one(pool).await.unwrap();
        let token = &format!("{:x}", Sha256::digest(format!("{name} {:?}", std::time::Instant::now())))[..43];
        sqlx::query("insert into sessions (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day')")
            .bind(id)
            .bind(Sha256::digest(token).to_vec())
            .execute(pool)
            .await
            .unwrap();
        Self {
            id,
            client: Client::new(),
            cookie: format!("session={token}; age_agreed=1"),
            address: "192.0.2.7".to_owned(),
        }
    }

    /// Sets the IP address of the client.
    pub fn at(mut self, address: &str) -> Self {
        address.clone_into(&mut self.address);
        self
    }

    /// Creates a moderator whose session has passed the second sign-in factor.
    pub async fn moderator(pool: &PgPool, name: &str) -> Self {
        let moderator = Self::member(pool, name).await;
        sqlx::query("insert into staff (user_id, totp_secret) values ($1, '\\x00')")
            .bind(moderator.id)
            .execute(pool)
            .await
            .unwrap();
        sqlx::query("update sessions set staff_until = now() + interval '1 hour' where user_id = $1")
            .bind(moderator.id)
            .execute(pool)
            .await
            .unwrap();
        moderator
    }

    /// Requests a page or a file. Returns status and body.
    pub async fn get(&self, node: &Node, path: &str) -> (u16, Vec<u8>) {
        let request =
            self.client.get(node.address(path)).header(COOKIE, &self.cookie).header("x-forwarded-for", &self.address);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.bytes().await.unwrap().to_vec())
    }

    /// Requests JSON. Panics unless the status is 200.
    pub async fn json(&self, node: &Node, path: &str) -> Value {
        let (status, body) = self.get(node, path).await;
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    /// Sends a multipart form with files (field, name, bytes). Returns status and response.
    pub async fn send(
        &self,
        node: &Node,
        path: &str,
        fields: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> (u16, Value) {
        let mut body = Vec::new();
        for (name, value) in fields {
            let part = format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend(part.into_bytes());
        }
        for (field, name, bytes) in files {
            let head = format!("--x\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n");
            body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
        }
        body.extend(b"--x--\r\n");
        self.post_body(node, path, "multipart/form-data; boundary=x", body).await
    }

    /// Sends a URL-encoded form. Returns status and response.
    pub async fn post(&self, node: &Node, path: &str, fields: &[(&str, &str)]) -> (u16, Value) {
        let body = reqwest::Url::parse_with_params("http://x/", fields).unwrap().query().unwrap_or_default().to_owned();
        self.post_body(node, path, "application/x-www-form-urlencoded", body.into_bytes()).await
    }

    async fn post_body(&self, node: &Node, path: &str, kind: &str, body: Vec<u8>) -> (u16, Value) {
        let request = self.client.post(node.address(path)).header(COOKIE, &self.cookie).header(CONTENT_TYPE, kind);
        let request = request.header("sec-fetch-site", "same-origin").header("x-forwarded-for", &self.address);
        let response = request.body(body).send().await.unwrap();
        let status = response.status().as_u16();
        (status, serde_json::from_slice(&response.bytes().await.unwrap()).unwrap_or(Value::Null))
    }
}
