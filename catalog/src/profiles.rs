//! A member's own profile, as edited in its form.

use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

use crate::{Result, profile_reviews::OwnReviews, run, status::MemberStatus};

/// Maximum length in characters. The constraint `profiles_text_lengths` has the same value.
pub const EDUCATION_MAX: usize = 200;
/// See [`EDUCATION_MAX`].
pub const WEBSITE_MAX: usize = 300;
/// See [`EDUCATION_MAX`].
pub const ABOUT_MAX: usize = 2000;
/// See [`EDUCATION_MAX`].
pub const CITY_MAX: usize = 100;
/// See [`EDUCATION_MAX`].
pub const INTERESTS_MAX: usize = 1000;
/// See [`EDUCATION_MAX`].
pub const OCCUPATION_MAX: usize = 200;

/// Form fields, each of which may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of profiles, documented in the migrations")]
pub struct Profile {
    pub gender: Option<String>,
    pub birth_date: Option<Date>,
    pub relationship: Option<String>,
    pub orientation: Option<String>,
    pub education: Option<String>,
    pub website: Option<String>,
    pub about: Option<String>,
    pub city: Option<String>,
    pub country: Option<String>,
    pub interests: Option<String>,
    pub occupation: Option<String>,
}

impl Profile {
    /// Returns the free texts by column name.
    pub(crate) fn texts_mut(&mut self) -> [(&'static str, &mut Option<String>); 6] {
        [
            ("about", &mut self.about),
            ("interests", &mut self.interests),
            ("occupation", &mut self.occupation),
            ("education", &mut self.education),
            ("city", &mut self.city),
            ("website", &mut self.website),
        ]
    }
}

/// A member and their profile.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct ProfileRow {
    pub user_id: i64,
    pub username: String,
    pub status_id: MemberStatus,
    pub avatar_key: Option<String>,
    /// Key of the picture at the top of the profile.
    pub cover_key: Option<String>,
    pub created_at: OffsetDateTime,
    pub profile: Profile,
}

impl ProfileRow {
    /// Returns the profile as its member sees it, with pending changes.
    #[must_use]
    pub fn with(mut self, mut reviews: OwnReviews) -> Self {
        self.avatar_key = reviews.avatar.or(self.avatar_key);
        self.cover_key = reviews.cover.or(self.cover_key);
        for (name, text) in self.profile.texts_mut() {
            *text = reviews.texts.remove(name).or(text.take());
        }
        self
    }
}

/// Returns a member's own profile, or `None` if the account is gone.
pub async fn find(pool: &PgPool, user_id: i64) -> Result<Option<ProfileRow>> {
    let query = sqlx::query!(
        r#"select u.username, u.status_id as "status_id: MemberStatus", u.avatar_key, u.cover_key, u.created_at,
                  p.gender as "gender?", p.birth_date as "birth_date?", p.relationship as "relationship?", p.orientation as "orientation?",
                  p.education as "education?", p.website as "website?", p.about as "about?", p.city as "city?",
                  p.country as "country?", p.interests as "interests?", p.occupation as "occupation?"
           from users u left join profiles p on p.user_id = u.id where u.id = $1"#,
        user_id
    );
    let row = query.fetch_optional(pool).await?;
    Ok(row.map(|row| ProfileRow {
        user_id,
        username: row.username,
        status_id: row.status_id,
        avatar_key: row.avatar_key,
        cover_key: row.cover_key,
        created_at: row.created_at,
        profile: Profile {
            gender: row.gender,
            birth_date: row.birth_date,
            relationship: row.relationship,
            orientation: row.orientation,
            education: row.education,
            website: row.website,
            about: row.about,
            city: row.city,
            country: row.country,
            interests: row.interests,
            occupation: row.occupation,
        },
    }))
}

/// Saves only those fields of a member's own profile that are named in `sent`, so that two forms sent at the same time
/// don't lose each other's changes.
///
/// # Errors
/// The query fails. It fails with the constraint `profiles_adult` if the member, by the birth date, was under 18 when
/// the profile was created.
pub async fn save(conn: &mut PgConnection, user_id: i64, profile: &Profile, sent: &[String]) -> Result<()> {
    let query = sqlx::query!(
        "insert into profiles as p (user_id, gender, birth_date, relationship, orientation, education, website, about,
                                    city, country, interests, occupation)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (user_id) do update
         set gender = case when 'gender' = any ($13) then excluded.gender else p.gender end,
             birth_date = case when 'birth_date' = any ($13) then excluded.birth_date else p.birth_date end,
             relationship = case when 'relationship' = any ($13) then excluded.relationship else p.relationship end,
             orientation = case when 'orientation' = any ($13) then excluded.orientation else p.orientation end,
             education = case when 'education' = any ($13) then excluded.education else p.education end,
             website = case when 'website' = any ($13) then excluded.website else p.website end,
             about = case when 'about' = any ($13) then excluded.about else p.about end,
             city = case when 'city' = any ($13) then excluded.city else p.city end,
             country = case when 'country' = any ($13) then excluded.country else p.country end,
             interests = case when 'interests' = any ($13) then excluded.interests else p.interests end,
             occupation = case when 'occupation' = any ($13) then excluded.occupation else p.occupation end",
        user_id,
        profile.gender,
        profile.birth_date,
        profile.relationship,
        profile.orientation,
        profile.education,
        profile.website,
        profile.about,
        profile.city,
        profile.country,
        profile.interests,
        profile.occupation,
        sent
    );
    run(query, conn).await
}

/// One of a member's two pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProfilePicture {
    /// The picture next to the username.
    Avatar,
    /// The picture at the top of the profile.
    Cover,
}

/// Sets a picture and returns the key of the one it replaces, so that the old files can be deleted.
pub async fn set_picture(
    conn: &mut PgConnection,
    user_id: i64,
    picture: ProfilePicture,
    key: Option<&str>,
) -> Result<Option<String>> {
    let query = match picture {
        ProfilePicture::Avatar => sqlx::query_scalar!(
            r#"update users u set avatar_key = $2 from (select id, avatar_key from users where id = $1 for update) b
                   where u.id = b.id returning b.avatar_key as "before?""#,
            user_id,
            key
        ),
        ProfilePicture::Cover => sqlx::query_scalar!(
            r#"update users u set cover_key = $2 from (select id, cover_key from users where id = $1 for update) b
                   where u.id = b.id returning b.cover_key as "before?""#,
            user_id,
            key
        ),
    };
    Ok(query.fetch_optional(conn).await?.flatten())
}

/// Returns those of `keys` that are neither a current picture of their member, nor pending, nor held for a decision.
/// `keys` and `members` correspond by index.
pub async fn unnamed(pool: &PgPool, members: &[i64], keys: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select stored.key as "key!" from unnest($1::bigint[], $2::text[]) as stored (user_id, key)
           where not exists (select from users u where u.id = stored.user_id and stored.key in (u.avatar_key, u.cover_key))
             and not exists (select from profile_reviews w where w.media_key = stored.key)
             and not exists (select from media_prints m where m.part = stored.key and m.held_at is not null)"#,
        members,
        keys
    );
    Ok(query.fetch_all(pool).await?)
}
