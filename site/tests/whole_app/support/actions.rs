//! Visitors' actions, which are sent to `stat.php`.

use axum::{
    body::Body,
    http::{Method, Request},
};
use futures_util::future::join_all;
use serde_json::Value;

use super::{App, NOW, Reply, Session, form_body};

pub const STAT: &str = "/api/stat.php";
pub const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

impl Session {
    /// Sends an action and returns the reply, whatever its status.
    pub async fn act(&self, form: &[(&str, &str)]) -> Reply {
        self.post(STAT, form).await
    }

    /// Sends an action that must succeed.
    pub async fn acts(&self, form: &[(&str, &str)]) -> Value {
        done(&self.act(form).await)
    }
}

/// Returns the JSON body for an action that must have succeeded.
#[track_caller]
pub fn done(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.header("cache-control"), "private, no-store");
    let answer = reply.json();
    assert_eq!(answer["ok"], 1);
    answer
}

/// Asserts an error that is shown as a toast.
#[track_caller]
pub fn toasted(reply: &Reply, status: u16, code: &str) {
    reply.refused(status, code);
    assert_eq!(reply.json()["field"], "notify", "{code}");
}

impl App {
    /// Sends a guest's action from `address`. The site must trust the loopback address as a proxy.
    pub async fn guest_acts(&self, address: &str, agent: &str, form: &[(&str, &str)]) -> Reply {
        let request = Request::builder().method(Method::POST).uri(STAT);
        let request = request
            .header("content-type", "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .header("x-forwarded-for", address)
            .header("user-agent", agent);
        self.call(request.body(Body::from(form_body(form))).unwrap()).await
    }

    /// Creates `count` members with sessions.
    pub async fn crowd(&self, count: i64) -> Vec<Session> {
        self.change(&format!(
            "insert into users (username, email, email_confirmed_at)
             select 'crowd-' || n, 'crowd-' || n || '@members.example', to_timestamp({NOW}) from generate_series(1, {count}) n"
        ))
        .await;
        let ids = self.numbers("select id from users where username like 'crowd-%' order by id").await;
        join_all(ids.iter().map(|id| self.sign_in(*id, "crowd"))).await
    }

    /// Returns the number that an SQL expression yields.
    pub async fn number(&self, query: &str) -> i64 {
        self.numbers(&format!("select ({query})::bigint")).await[0]
    }

    /// Transfers counters to the index, as the node does at regular intervals.
    pub async fn counters(&self) {
        self.indexer.transfer_counters().await.unwrap();
    }
}

/// Returns the number of replies with 200, and the number with 409 and this code. Panics on any other reply.
#[track_caller]
pub fn count_ok_and_conflicts(replies: &[Reply], code: &str) -> (usize, usize) {
    let (done, refused): (Vec<&Reply>, Vec<&Reply>) = replies.iter().partition(|reply| reply.status == 200);
    refused.iter().for_each(|reply| toasted(reply, 409, code));
    (done.len(), refused.len())
}
