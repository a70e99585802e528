//! What members changed in their own profiles and nobody looked at yet: the member sees it, everybody else what was there before
//! (`0068_profile_reviews.sql`).

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

/// Texts of a profile by their names.
pub type Texts = BTreeMap<String, String>;

/// What waits is one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewKind {
    /// The picture beside the name.
    Avatar,
    /// The picture above the profile.
    Cover,
    /// Texts.
    Texts,
}

impl ReviewKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Avatar, Self::Cover, Self::Texts];

    /// Its name on the wire and in the catalog.
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

/// What waits of one member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnReviews {
    /// Key of the new avatar.
    pub avatar: Option<String>,
    /// Key of the new cover.
    pub cover: Option<String>,
    /// New texts.
    pub texts: Texts,
}

/// What waits of a member.
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

/// Writes the fields of a member's own profile whose names are `sent`, but for new texts, which wait for a decision.
///
/// # Errors
/// As [`profiles::save`].
pub async fn submit(conn: &mut PgConnection, user_id: i64, profile: &Profile, sent: &[String]) -> Result<()> {
    // One form after the other, so that none undoes what another one sent.
    sqlx::query!("select from users where id = $1 for update", user_id).fetch_optional(&mut *conn).await?;
    let before = public_texts(conn, user_id).await?;
    let mut direct = profile.clone();
    let mut new = Texts::new();
    for (name, text) in direct.texts_mut() {
        // What is as everybody sees it, or goes, needs nobody's look.
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

/// The texts of a profile that everybody sees.
async fn public_texts(conn: &mut PgConnection, user_id: i64) -> Result<Texts> {
    let query = sqlx::query_scalar!(
        r#"select jsonb_strip_nulls(jsonb_build_object('about', about, 'interests', interests, 'occupation', occupation,
                'education', education, 'city', city, 'website', website)) as "texts!: Json<Texts>"
           from profiles where user_id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(conn).await?.map(|Json(texts)| texts).unwrap_or_default())
}

/// Takes texts back that wait.
async fn withdraw(conn: &mut PgConnection, user_id: i64, names: &[String]) -> Result<()> {
    let query = sqlx::query!(
        "update profile_reviews set texts = texts - $2::text[] where user_id = $1 and kind = 'texts' and texts ?| $2::text[]",
        user_id,
        names
    );
    run(query, &mut *conn).await?;
    run(sqlx::query!("delete from profile_reviews where user_id = $1 and texts = '{}'", user_id), conn).await
}

/// Lets a new picture wait for a decision, or takes back the one that waits; the key of the one that waited before.
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

/// What waits of a member, as who decides on it sees it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users and profile_reviews, documented in the migrations")]
pub struct WaitingProfile {
    pub user_id: i64,
    pub username: String,
    pub kind: String,
    pub revision: i64,
    pub sent_at: OffsetDateTime,
    /// Key of the new picture, and of the one everybody sees.
    pub media_key: Option<String>,
    pub before_key: Option<String>,
    /// New texts, and those everybody sees.
    pub texts: Json<Texts>,
    pub before: Json<Texts>,
}

/// What waits of all members, the oldest first, `limit` of them at most.
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
           where u.status_id <> 5 order by w.sent_at, w.revision limit $1"#,
        i64::from(limit)
    );
    Ok(query.fetch_all(pool).await?)
}

/// What came of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewOutcome {
    /// It is carried out.
    Done,
    /// Nothing of the kind waits.
    NotWaiting,
    /// Its member changed it since it was looked at.
    Changed,
}

/// What is decided on something that waits.
#[derive(Debug, Clone, Copy)]
pub struct ReviewDecision<'a> {
    /// Whose it is.
    pub user_id: i64,
    /// What it is.
    pub kind: ReviewKind,
    /// The revision that was looked at.
    pub revision: i64,
    /// Whether everybody sees it from now on; otherwise it is dropped.
    pub approve: bool,
    /// Anything else, for the record.
    pub note: &'a str,
}

/// Decides on what a member changed in the own profile. Files that nobody names then are swept.
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
    drop_waiting(conn, user_id, kind).await?;
    let act = if decision.approve { "approve profile" } else { "reject profile" };
    let details = json!({ "kind": kind.as_str(), "revision": revision, "note": decision.note });
    record::add(conn, actor, RecordEntry { act, object: Some(("user", user_id)), details }).await?;
    transaction.commit().await?;
    Ok(ReviewOutcome::Done)
}

/// Drops what waits of a member.
pub(crate) async fn drop_waiting(conn: &mut PgConnection, user_id: i64, kind: ReviewKind) -> Result<()> {
    let query = sqlx::query!("delete from profile_reviews where user_id = $1 and kind = $2", user_id, kind.as_str());
    run(query, conn).await
}

/// Shows the texts of a member that wait.
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
