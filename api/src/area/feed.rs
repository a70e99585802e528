//! The feed, which contains new videos from the models, channels and members that a member follows. The catalog provides the
//! subscriptions, and the index provides the videos. Each page starts after the last video of the previous one, so that new videos do not
//! cause repetitions.

use lantern_accounts::viewer::Member;
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

/// A page of the feed.
pub struct FeedPage {
    pub videos: Vec<OwnVideo>,
    /// Total number of videos. If `after` is given, the number of videos that follow it.
    pub total: i64,
    /// Value of `after` for the next page.
    pub next: Option<String>,
}

/// Sort key of a video in the feed.
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

    fn following(self) -> Filter {
        let earlier = Filter::lt("post_date", self.post_date);
        earlier.or(Filter::eq("post_date", self.post_date).and(Filter::lt("id", self.id)))
    }
}

/// Returns a page of a member's feed, which holds `limit` videos. It starts at `offset`, or after the key `after` in the query. Fails
/// with 422 for a malformed key. Also fails if the catalog or the engine is unavailable.
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
            Some(key) => filter.and(key.following()),
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
    fn feed_key_is_parsed_strictly() {
        let key = FeedKey::parse("1790000000.7").unwrap();
        assert_eq!(key.following().to_string(), "post_date < 1790000000 OR (post_date = 1790000000 AND id < 7)");
        for text in ["", "1", "1.", ".1", "a.1", "1.2.3", "1 OR 1.2"] {
            assert_eq!(FeedKey::parse(text), None, "{text}");
        }
    }
}
