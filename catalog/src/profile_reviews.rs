//! Pending changes to members' profiles (`0068_profile_reviews.sql`). Until a change is reviewed, only the member sees
//! it, and everyone else sees the previous content.

use std::collections::BTreeMap;

use serde_json::json;
use sqlx::{PgConnection, PgExecutor, PgPool, types::Json};
use time::OffsetDateTime;

use crate::{
    Result,
    moderation::{
        Actor,
        record::{self, RecordEntry},
    },
    profiles::{self, Profile, ProfilePicture},
    run,
};

/// Profile texts by field name.
pub type Texts = BTreeMap<String, String>;

/// Kind of a pending change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewKind {
    /// The picture next to the username.
    Avatar,
    /// The picture at the top of the profile.
    Cover,
    /// The texts of the profile.
    Texts,
}

impl ReviewKind {
    /// All kinds of changes.
    pub const ALL: [Self; 3] = [Self::Avatar, Self::Cover, Self::Texts];

    /// Returns the name of the kind, in the API and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Avatar => "avatar",
            Self::Cover => "cover",
            Self::Texts => "texts",
        }
    }
}

impl From<ProfilePicture> for ReviewKind {
    fn from(picture: ProfilePicture) -> Self {
        match picture {
            ProfilePicture::Avatar => Self::Avatar,
            ProfilePicture::Cover => Self::Cover,
        }
    }
}

/// Pending changes of a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnReviews {
    /// Key of the new avatar.
    pub avatar: Option<String>,
    /// Key of the new cover.
    pub cover: Option<String>,
    /// New texts.
    pub texts: Texts,
}

/// Returns a member's pending changes.
pub async fn own(db: impl PgExecutor<'_>, user_id: i64) -> Result<OwnReviews> {
    let query = sqlx::query!(
        r#"select kind, media_key, texts as "texts: Json<Texts>" from profile_reviews where user_id = $1"#,
        user_id
    );
    let mut own = OwnReviews::default();
    for row in query.fetch_all(db).await? {
        match row.kind.as_str() {
            "avatar" => own.avatar = row.media_key,
            "cover" => own.cover = row.media_key,
            _ => own.texts = row.texts.map(|Json(texts)| texts).unwrap_or_default(),
        }
    }
    Ok(own)
}

/// Saves those fields of a member's own profile that are named in `sent`. New texts are not saved but await a decision.
///
/// # Errors
/// Same as [`profiles::save`].
pub async fn submit(conn: &mut PgConnection, user_id: i64, profile: &Profile, sent: &[String]) -> Result<()> {
    // The calls are serialized, so that two forms sent at the same time don't undo each other.
    sqlx::query!("select from users where id = $1 for update", user_id).fetch_optional(&mut *conn).await?;
    let before = public_texts(conn, user_id).await?;
    let mut direct = profile.clone();
    let mut new = Texts::new();
    for (name, text) in direct.texts_mut() {
        // Texts that equal the public ones, or are removed, need no review.
        if sent.iter().any(|sent| sent == name)
            && let Some(changed) = text.take_if(|text| before.get(name) != Some(text))
        {
            new.insert(name.to_owned(), changed);
        }
    }
    let settled: Vec<String> = sent.iter().filter(|name| !new.contains_key(*name)).cloned().collect();
    profiles::save(conn, user_id, &direct, &settled).await?;
    withdraw(conn, user_id, &settled).await?;
    if new.is_empty() {
        return Ok(());
    }
    let query = sqlx::query!(
        "insert into profile_reviews (user_id, kind, texts) values ($1, 'texts', $2)
         on conflict (user_id, kind) do update
         set texts = profile_reviews.texts || excluded.texts, revision = excluded.revision, sent_at = excluded.sent_at
         where not profile_reviews.texts @> excluded.texts",
        user_id,
        Json(new) as _
    );
    run(query, conn).await
}

/// Returns the public texts of a profile.
async fn public_texts(conn: &mut PgConnection, user_id: i64) -> Result<Texts> {
    let query = sqlx::query_scalar!(
        r#"select jsonb_strip_nulls(jsonb_build_object('about', about, 'interests', interests, 'occupation', occupation,
                'education', education, 'city', city, 'website', website)) as "texts!: Json<Texts>"
           from profiles where user_id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(conn).await?.map(|Json(texts)| texts).unwrap_or_default())
}

/// Withdraws pending texts.
async fn withdraw(conn: &mut PgConnection, user_id: i64, names: &[String]) -> Result<()> {
    let query = sqlx::query!(
        "update profile_reviews set texts = texts - $2::text[] where user_id = $1 and kind = 'texts' and texts ?| $2::text[]",
        user_id,
        names
    );
    run(query, &mut *conn).await?;
    run(sqlx::query!("delete from profile_reviews where user_id = $1 and texts = '{}'", user_id), conn).await
}

/// Submits a new picture for review, or withdraws the pending one. Returns the key of the picture that was pending
/// until now.
pub async fn submit_picture(
    conn: &mut PgConnection,
    user_id: i64,
    picture: ProfilePicture,
    key: Option<&str>,
) -> Result<Option<String>> {
    let kind = ReviewKind::from(picture).as_str();
    let before = sqlx::query_scalar!(
        r#"delete from profile_reviews where user_id = $1 and kind = $2 returning media_key as "key!""#,
        user_id,
        kind
    );
    let before = before.fetch_optional(&mut *conn).await?;
    if let Some(key) = key {
        let query = sqlx::query!(
            "insert into profile_reviews (user_id, kind, media_key) values ($1, $2, $3)",
            user_id,
            kind,
            key
        );
        run(query, conn).await?;
    }
    Ok(before)
}

/// A member's pending change, as shown to the moderator.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users and profile_reviews, documented in the migrations")]
pub struct WaitingProfile {
    pub user_id: i64,
    pub username: String,
    pub kind: String,
    pub revision: i64,
    pub sent_at: OffsetDateTime,
    /// Key of the new picture and key of the public one.
    pub media_key: Option<String>,
    pub before_key: Option<String>,
    /// New and public texts.
    pub texts: Json<Texts>,
    pub before: Json<Texts>,
}

/// Lists up to `limit` pending changes of all members, oldest first.
pub async fn waiting(pool: &PgPool, limit: u32) -> Result<Vec<WaitingProfile>> {
    let query = sqlx::query_as!(
        WaitingProfile,
        r#"select w.user_id, u.username, w.kind, w.revision, w.sent_at, w.media_key,
                  case w.kind when 'avatar' then u.avatar_key when 'cover' then u.cover_key end as before_key,
                  coalesce(w.texts, '{}') as "texts!: Json<Texts>",
                  coalesce(jsonb_strip_nulls(jsonb_build_object('about', p.about, 'interests', p.interests,
                      'occupation', p.occupation, 'education', p.education, 'city', p.city, 'website', p.website)), '{}')
                      as "before!: Json<Texts>"
           from profile_reviews w join users u on u.id = w.user_id left join profiles p on p.user_id = w.user_id
           where u.status_id <> banned() order by w.sent_at, w.revision limit $1"#,
        i64::from(limit)
    );
    Ok(query.fetch_all(pool).await?)
}

/// Outcome of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewOutcome {
    /// The decision was carried out.
    Done,
    /// There is no such pending change.
    NotWaiting,
    /// The member has changed it again since it was reviewed.
    Changed,
}

/// A decision on a pending change.
#[derive(Debug, Clone, Copy)]
pub struct ReviewDecision<'a> {
    /// Id of the member.
    pub user_id: i64,
    /// Kind of the change.
    pub kind: ReviewKind,
    /// Revision that was reviewed.
    pub revision: i64,
    /// Whether to publish the change. If `false`, it is discarded.
    pub approve: bool,
    /// Free text for the moderation record.
    pub note: &'a str,
}

/// Decides on a member's pending change. Files that are no longer referenced are deleted later.
pub async fn decide(pool: &PgPool, actor: &Actor<'_>, decision: ReviewDecision<'_>) -> Result<ReviewOutcome> {
    let ReviewDecision { user_id, kind, revision, .. } = decision;
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        "select revision, media_key, texts from profile_reviews where user_id = $1 and kind = $2 for update",
        user_id,
        kind.as_str()
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(ReviewOutcome::NotWaiting) };
    if row.revision != revision {
        return Ok(ReviewOutcome::Changed);
    }
    if decision.approve {
        match kind {
            ReviewKind::Avatar => {
                profiles::set_picture(conn, user_id, ProfilePicture::Avatar, row.media_key.as_deref()).await?;
            }
            ReviewKind::Cover => {
                profiles::set_picture(conn, user_id, ProfilePicture::Cover, row.media_key.as_deref()).await?;
            }
            ReviewKind::Texts => publish(conn, user_id).await?,
        }
    }
    discard_pending(conn, user_id, kind).await?;
    let act = if decision.approve { "approve profile" } else { "reject profile" };
    let details = json!({ "kind": kind.as_str(), "revision": revision, "note": decision.note });
    record::add(conn, actor, RecordEntry { act, object: Some(("user", user_id)), details }).await?;
    transaction.commit().await?;
    Ok(ReviewOutcome::Done)
}

/// Discards a member's pending change.
pub(crate) async fn discard_pending(conn: &mut PgConnection, user_id: i64, kind: ReviewKind) -> Result<()> {
    let query = sqlx::query!("delete from profile_reviews where user_id = $1 and kind = $2", user_id, kind.as_str());
    run(query, conn).await
}

/// Publishes a member's pending texts.
async fn publish(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("insert into profiles (user_id) values ($1) on conflict do nothing", user_id), &mut *conn).await?;
    let query = sqlx::query!(
        "update profiles p set about = coalesce(w.texts->>'about', about), interests = coalesce(w.texts->>'interests', interests),
                occupation = coalesce(w.texts->>'occupation', occupation), education = coalesce(w.texts->>'education', education),
                city = coalesce(w.texts->>'city', city), website = coalesce(w.texts->>'website', website)
         from profile_reviews w where p.user_id = $1 and w.user_id = $1 and w.kind = 'texts'",
        user_id
    );
    run(query, conn).await
}
