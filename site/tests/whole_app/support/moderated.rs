//! Moderators and their decisions.

use lantern_accounts::totp;
use lantern_catalog::moderation::{
    Actor, staff,
    uploads::{self, Decision, DecisionOutcome, Verdict},
};
use totp_rs::{Algorithm, TOTP};

use super::{App, NOW, Session};

/// The TOTP secret of every moderator in the tests.
const SECRET: [u8; totp::SECRET] = *b"12345678901234567890";
pub const SECOND_STEP: &str = "/api/moderate/second_step";

impl App {
    /// Decides on a video in the same way as the command line.
    pub async fn decide(&self, id: i64, verdict: Verdict<'_>) -> DecisionOutcome {
        let decision = Decision { section: "video", id, revision: None, verdict, note: "" };
        uploads::decide(self.pool(), &Actor::OPERATOR, decision).await.unwrap()
    }

    /// Approves a video that shows nobody.
    pub async fn approve(&self, id: i64) -> DecisionOutcome {
        self.decide(id, Verdict::Approve { nobody: true }).await
    }

    /// Returns a moderator who has not taken the second step yet.
    pub async fn new_moderator(&self, name: &str) -> Session {
        let member = self.member(name).await;
        let sealed = self.state().seal.seal(&staff::place(member.id), &SECRET).unwrap();
        staff::grant(self.pool(), &Actor::OPERATOR, member.id, &sealed).await.unwrap();
        member
    }

    /// Returns a moderator who has taken the second step.
    pub async fn moderator(&self, name: &str) -> Session {
        let moderator = self.new_moderator(name).await;
        let reply = moderator.post(SECOND_STEP, &[("code", &code(0))]).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        moderator
    }
}

/// Returns a moderator's one-time password, this many intervals from now.
pub fn code(intervals: i64) -> String {
    let totp = TOTP::new(Algorithm::SHA1, 6, 0, 30, SECRET.to_vec(), None, "x".to_owned()).unwrap();
    totp.generate((NOW + 30 * intervals).try_into().unwrap())
}
