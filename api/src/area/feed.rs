//! The feed: new videos of the models, channels and members somebody follows. The catalog knows who is followed, the index has
//! the videos; the next page begins behind the last video of the one before, so nothing is shown twice when something new
//! comes in between.

use lantern_catalog::own;
use lantern_config::Lang;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::Query;
use lantern_index::Filter;
use lantern_search::{
    exclusions::Exclusions,
    index::{self, Reader, VideoDoc, VideoQuery},
};
use sqlx::PgPool;

use super::cards::{self, OwnVideo};
use crate::session::Member;

/// A page of the feed.
pub struct FeedPage {
    pub videos: Vec<OwnVideo>,
    /// How many there are, behind `after` if that was given.
    pub total: i64,
    /// What `after` must be for the next page.
    pub next: Option<String>,
}

/// The key of a video in the feed's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FeedKey {
    post_date: i64,
    id: i64,
}

impl FeedKey {
    fn parse(text: &str) -> Option<Self> {
        let (post_date, id) = text.split_once('.')?;
        Some(Self { post_date: post_date.parse().ok()?, id: id.parse().ok()? })
    }

    fn behind(self) -> Filter {
        let earlier = Filter::lt("post_date", self.post_date);
        earlier.or(Filter::eq("post_date", self.post_date).and(Filter::lt("id", self.id)))
    }
}

/// A page of a member's feed, `limit` videos from `offset` or from behind the key `after` of the query. Fails with 422 for a key
/// that is none; when the catalog or the engine is away.
pub async fn feed(
    pool: &PgPool,
    reader: &Reader,
    member: &Member,
    query: &Query,
    (offset, limit): (usize, usize),
    lang: Lang,
) -> ApiResult<FeedPage> {
    let after = query.get("after").map(|text| FeedKey::parse(text).ok_or(ApiError::invalid("after"))).transpose()?;
    let followed = own::followed(pool, member.id, reader.config.member_area.feed_sources.into()).await?;
    let sources = [
        Filter::in_("model_dirs", followed.models),
        Filter::in_("channel_id", followed.channels),
        Filter::in_("user_id", followed.users),
    ];
    let filter = Filter::any(sources.into_iter().filter(|source| !source.matches_nothing()));
    if filter.matches_nothing() {
        return Ok(FeedPage { videos: Vec::new(), total: 0, next: None });
    }
    let allowed = Exclusions::of_member(pool, &reader.config, member.id).await?.allowed();
    let filter = filter.and(allowed.filter());
    let query = VideoQuery {
        sort: &["post_date:desc", "id:desc"],
        offset: if after.is_some() { 0 } else { offset },
        limit,
        counts: &[],
        ..VideoQuery::new(match after {
            Some(key) => filter.and(key.behind()),
            None => filter,
        })
    };
    let offset = query.offset;
    let found = index::find::<VideoDoc>(reader, query).await?;
    let more = found.total > offset + found.hits.len();
    let last = found.hits.last().filter(|_| more);
    let next = last.map(|video| format!("{}.{}", video.post_date, video.id));
    let categories = reader.categories.current().await?;
    Ok(FeedPage {
        videos: found.hits.into_iter().map(|video| cards::public(video, &categories, lang)).collect(),
        total: i64::try_from(found.total).unwrap_or(i64::MAX),
        next,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_one_place() {
        let key = FeedKey::parse("1790000000.7").unwrap();
        assert_eq!(key.behind().to_string(), "post_date < 1790000000 OR (post_date = 1790000000 AND id < 7)");
        for text in ["", "1", "1.", ".1", "a.1", "1.2.3", "1 OR 1.2"] {
            assert_eq!(FeedKey::parse(text), None, "{text}");
        }
    }
}
