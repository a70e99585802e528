//! Reports and messages to the operators: how they are submitted ([`add`]), weighed together (`weights`) and handled
//! ([`queue`]).

mod hides;
mod objects;
pub mod queue;
mod weights;

use lantern_config::{Lang, Reports};
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::Result;
pub use hides::{Effect, ReportFigures, figures};
pub use objects::SECTIONS;

/// What a report is about.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// One of [`SECTIONS`].
    pub section: &'a str,
    /// Id of the object.
    pub object_id: i64,
    /// One of `reports.reasons`.
    pub reason: &'a str,
}

/// Author of a report.
#[derive(Debug, Clone, Copy)]
pub enum Reporter<'a> {
    /// A member.
    Member(i64),
    /// A guest, identified by a keyed hash of the address.
    Guest(&'a [u8; 32]),
}

/// A message to the operators, optionally about an object.
#[derive(Debug, Clone, Copy)]
pub struct NewReport<'a> {
    /// Subject line, which may be empty.
    pub subject: &'a str,
    /// Address for replies.
    pub email: &'a str,
    /// Message of 1 to 1500 characters. It may be empty if there is a reason.
    pub message: &'a str,
    /// Key of the attached picture.
    pub file_key: Option<&'a str>,
    /// Page from which the form was sent.
    pub page: Option<&'a str>,
    /// Object that the message is about.
    pub about: Option<About<'a>>,
    /// Author of the message.
    pub reporter: Reporter<'a>,
    /// Keyed hash of the sender's network, which is an IPv4 /24 or an IPv6 /48.
    pub network: &'a [u8; 32],
    /// Language of the author.
    pub lang: Lang,
    /// Current time.
    pub now: OffsetDateTime,
}

/// Outcome of submitting a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportOutcome {
    /// The report was accepted.
    Taken {
        /// Id of the report.
        id: i64,
        /// What the combined weight of all reports about the object causes.
        effect: Effect,
    },
    /// The reporter has already reported the object (if a guest, today). This report is not stored.
    Repeated,
    /// There is no such object, or none that this reporter can see.
    NoObject,
}

/// Submits a report in the caller's transaction.
pub async fn add(conn: &mut PgConnection, report: &NewReport<'_>, settings: &Reports) -> Result<ReportOutcome> {
    let member = match report.reporter {
        Reporter::Member(id) => Some(id),
        Reporter::Guest(_) => None,
    };
    let mut standing = weights::standing(conn, member, settings, report.now).await?;
    if let Some(about) = &report.about {
        if !objects::exists(conn, about.section, about.object_id, member).await? {
            return Ok(ReportOutcome::NoObject);
        }
        let object = (about.section, about.object_id);
        let left = weights::network_budget(conn, report.network, object, settings, report.now).await?;
        standing.weight = standing.weight.min(left);
        // The calls are serialized per object, so that the report that reaches the threshold sees all previous ones.
        objects::lock(conn, about.section, about.object_id).await?;
    }
    let Some(id) = insert(conn, report, member, standing, settings).await? else { return Ok(ReportOutcome::Repeated) };
    let Some(about) = &report.about else { return Ok(ReportOutcome::Taken { id, effect: Effect::None }) };
    let load = weights::object_load(conn, about.section, about.object_id, settings).await?;
    if load.all >= i64::from(settings.review_weight) {
        weights::escalate(conn, about.section, about.object_id, report.now).await?;
    }
    let effect = match load.severe >= i64::from(settings.hide_weight) {
        true => hides::apply(conn, (about.section, about.object_id), settings, report.now).await?,
        false => Effect::None,
    };
    Ok(ReportOutcome::Taken { id, effect })
}

async fn insert(
    conn: &mut PgConnection,
    report: &NewReport<'_>,
    member: Option<i64>,
    standing: weights::Standing,
    settings: &Reports,
) -> Result<Option<i64>> {
    let guest = match report.reporter {
        Reporter::Guest(key) => Some(key.as_slice()),
        Reporter::Member(_) => None,
    };
    let query = sqlx::query_scalar!(
        "insert into reports (subject, email, message, file_key, ref, section, object_id, reason, is_severe, user_id,
                              guest_key, weight, is_trusted, lang, created_at, reported_on, is_proven, is_urgent, network_key)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, ($15::timestamptz at time zone 'UTC')::date,
                 $16, $17, $18)
         on conflict do nothing returning id",
        report.subject,
        report.email,
        report.message,
        report.file_key,
        report.page,
        report.about.map(|about| about.section),
        report.about.map(|about| about.object_id),
        report.about.map(|about| about.reason),
        report.about.is_some_and(|about| settings.is_severe(about.reason)),
        member,
        guest,
        standing.weight,
        standing.is_trusted,
        report.lang.as_str(),
        report.now,
        standing.is_proven,
        report.about.is_some_and(|about| settings.is_urgent(about.reason)),
        report.network.as_slice()
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Returns the e-mail address of a member.
pub async fn email_of(pool: &PgPool, user_id: i64) -> Result<Option<String>> {
    Ok(sqlx::query_scalar!("select email from users where id = $1", user_id).fetch_optional(pool).await?)
}
