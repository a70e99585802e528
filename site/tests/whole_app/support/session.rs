//! A signed-in member.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{Method, Request},
};
use lantern_catalog::sessions::{self, NewSession};
use lantern_site::Site;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use time::{Duration, OffsetDateTime};
use tower::ServiceExt;

use super::{App, NOW, Reply};

/// A member's browser on the site itself. It sends the cookie and the headers of a same-origin request.
pub struct Session {
    /// The member's id.
    pub id: i64,
    pub username: String,
    /// The whole `Cookie` header, to which tests may add.
    pub cookie: String,
    /// Address of the client, as the server sees it.
    pub address: IpAddr,
    pub site: Site,
}

impl App {
    /// Creates a confirmed member without a password, already indexed, with a new session.
    pub async fn member(&self, name: &str) -> Session {
        let insert = format!(
            "insert into users (username, email, email_confirmed_at, created_at)
             values ('{name}', '{name}@members.example', to_timestamp({NOW}), to_timestamp({NOW})) returning id"
        );
        let id: i64 = sqlx::query_scalar(AssertSqlSafe(insert)).fetch_one(self.pool()).await.unwrap();
        self.drain().await;
        self.sign_in(id, name).await
    }

    /// Returns a browser without a session.
    pub fn guest(&self) -> Session {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Session { id: 0, username: String::new(), cookie: String::new(), address, site: self.site.clone() }
    }

    /// Creates a session for an existing member.
    pub async fn sign_in(&self, id: i64, name: &str) -> Session {
        let token = format!("{:x}", Sha256::digest(format!("{name} {:?}", std::time::Instant::now())));
        let token = &token[..43];
        let now = OffsetDateTime::from_unix_timestamp(NOW).unwrap();
        let hash: [u8; 32] = Sha256::digest(token).into();
        let new = NewSession {
            user_id: id,
            token_hash: &hash,
            now,
            expires_at: now + Duration::days(1),
            agent: "Firefox, Linux",
            country: "XX",
        };
        sessions::create(&mut self.pool().acquire().await.unwrap(), new).await.unwrap();
        Session { id, username: name.to_owned(), cookie: format!("session={token}"), ..self.guest() }
    }
}

impl Session {
    /// Sends a form as the site's own page would.
    pub async fn post(&self, path: &str, form: &[(&str, &str)]) -> Reply {
        self.post_with(path, form, &[]).await
    }

    /// Sends a form as the site's own page would, with additional headers.
    pub async fn post_with(&self, path: &str, form: &[(&str, &str)], headers: &[(&str, &str)]) -> Reply {
        let body = form_body(form);
        let kind = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin")];
        self.send(Method::POST, path, &[&kind, headers].concat(), Body::from(body)).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, &[], Body::empty()).await
    }

    /// Returns the same browser at another address.
    pub fn at(&self, address: &str) -> Self {
        let (username, cookie) = (self.username.clone(), self.cookie.clone());
        Self { id: self.id, username, cookie, address: address.parse().unwrap(), site: self.site.clone() }
    }

    /// Sends any request with the session's cookie.
    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("cookie", &self.cookie);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let peer = ConnectInfo(SocketAddr::new(self.address, 40_000));
        let request = request.extension(peer).body(body).unwrap();
        Reply::read(self.site.clone().oneshot(request).await.unwrap()).await
    }
}

/// Encodes fields as a browser would.
pub fn form_body(form: &[(&str, &str)]) -> String {
    let mut encoded = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form {
        encoded.append_pair(name, value);
    }
    encoded.finish()
}
