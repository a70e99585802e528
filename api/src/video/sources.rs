//! Listings whose videos are defined elsewhere: country charts and playlists.

use std::collections::{HashMap, HashSet};

use lantern_catalog::playlists::{self, PlaylistAccess};
use lantern_config::{Gender, Lang, VideoSort};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::{ChartDoc, Filter, IndexName};
use lantern_listing::VideoList;
use sqlx::PgPool;

use lantern_search::{
    exclusions::ListBounds,
    index::{self, Found, Reader, VideoDoc, VideoId, VideoQuery, prefer_language},
};

/// The sort order of a chart.
const CHART_ORDER: &[&str] = &["viewed:desc", "video_id:desc"];

/// Returns the ids and views of the first allowed videos in a country's chart, and their total.
pub async fn chart(
    reader: &Reader,
    gender: Gender,
    country: &str,
    limit: usize,
    allowed: &ListBounds,
) -> ApiResult<Found<(i64, i64)>> {
    let filter = Filter::eq("country", country).and(Filter::eq("gender", gender.as_str()));
    let allowed = allowed.in_chart(reader, filter.clone()).await?;
    let query = VideoQuery {
        index: IndexName::Charts,
        sort: CHART_ORDER,
        limit,
        fields: ChartDoc::fields(),
        counts: &[],
        ..VideoQuery::new(filter.and(allowed))
    };
    let found: Found<ChartDoc> = index::find(reader, query).await?;
    let hits = found.hits.iter().map(|entry| (entry.video_id, entry.viewed)).collect();
    Ok(Found { hits, total: found.total, counts: found.counts, took: found.took })
}

/// Returns the most watched videos in a country. They are in chart order if the list is sorted by popularity, otherwise in the order of
/// the list.
pub async fn charted(
    reader: &Reader,
    list: &VideoList,
    country: &str,
    allowed: &ListBounds,
    lang: Lang,
) -> ApiResult<Found<VideoDoc>> {
    let by_chart = list.sort == VideoSort::MostPopular;
    let filter = Filter::eq("country", country)
        .and(Filter::eq("gender", list.gender.as_str()))
        .and(list.chart_filter(reader.now()));
    let filter = filter.clone().and(allowed.in_chart(reader, filter).await?);
    let whole = usize::try_from(reader.config.sync.chart_size).unwrap_or(usize::MAX);
    let query = VideoQuery {
        index: IndexName::Charts,
        sort: CHART_ORDER,
        offset: if by_chart { list.offset() } else { 0 },
        limit: if by_chart { list.count as usize } else { whole },
        fields: ChartDoc::fields(),
        ..VideoQuery::new(filter)
    };
    let chart: Found<ChartDoc> = index::find(reader, query).await?;
    let ids: Vec<i64> = chart.hits.iter().map(|entry| entry.video_id).collect();
    if by_chart {
        // The chart provides the ids and their order, and the video index provides the cards.
        let mut hits = index::videos_by_id(&reader.search, &ids).await?;
        let viewed: HashMap<i64, i64> = chart.hits.iter().map(|entry| (entry.video_id, entry.viewed)).collect();
        prefer_language(&mut hits, lang, |video| viewed.get(&video.id).copied());
        return Ok(Found { hits, total: chart.total, counts: chart.counts, took: chart.took });
    }
    if ids.is_empty() {
        return Ok(Found::default());
    }
    let sort = list.sort_keys().unwrap_or(["viewed:desc", "id:desc"]);
    let query = VideoQuery {
        sort: &sort,
        offset: list.offset(),
        limit: list.count as usize,
        ..VideoQuery::new(Filter::in_("id", ids))
    };
    index::find(reader, query).await
}

/// Returns the videos in a playlist in the playlist's order. Returns those in a private one only if `hidden` is true. Fails with 404
/// `playlist_not_found` or 403 `playlist_is_private`.
pub async fn in_playlist(
    pool: &PgPool,
    reader: &Reader,
    list: &VideoList,
    playlist: i64,
    hidden: bool,
) -> ApiResult<Found<VideoDoc>> {
    match playlists::access(pool, playlist).await? {
        PlaylistAccess::Public => {}
        PlaylistAccess::Private if hidden => {}
        PlaylistAccess::Private => return Err(ApiError::Forbidden("playlist_is_private")),
        PlaylistAccess::Unknown => return Err(ApiError::NotFound("playlist_not_found")),
    }
    let most = reader.config.listing.playlist_videos;
    let mut ids = playlists::video_ids(pool, playlist, most.into()).await?;
    if ids.is_empty() {
        return Ok(Found::default());
    }
    let query = VideoQuery {
        limit: ids.len(),
        fields: &["id"],
        ..VideoQuery::new(Filter::in_("id", ids.iter().copied()).and(list.chart_filter(reader.now())))
    };
    let chosen: Found<VideoId> = index::find(reader, query).await?;
    let matching: HashSet<i64> = chosen.hits.iter().map(|hit| hit.id).collect();
    ids.retain(|id| matching.contains(id));
    let page: Vec<i64> = ids.iter().copied().skip(list.offset()).take(list.count as usize).collect();
    let hits = index::videos_by_id(&reader.search, &page).await?;
    Ok(Found { hits, total: chosen.total, counts: chosen.counts, took: chosen.took })
}
