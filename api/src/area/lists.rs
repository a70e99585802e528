//! `GET /api/member_lists.php?list=&page=&count=&lang=`: a member's own lists.
//!
//! Lists never drop items. A video that has been deleted or is unfinished is listed without a title, so that totals are exact and the
//! video can be removed.

use axum::{extract::State, response::Response};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    blocks,
    community::{self, Page, Window},
    friends, history, messages, notifications,
    own::{self, ListedVideo},
};
use lantern_config::{Config, Lang, MemberList};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Totals,
    openapi::{Doc, invalid, query, refusal},
    private,
};
use lantern_index::IndexName;
use lantern_search::index::{MemberCard, MemberDoc, in_order};
use serde_json::json;

use super::{
    answers::{
        ConversationItem, Conversations, MemberListAnswer, OwnAlbums, OwnMembers, OwnNotifications, OwnPlaylists,
        OwnSubscriptions, OwnVideos, SavedSearchItem, SavedSearches,
    },
    cards, feed,
};
use crate::{notification::item::NotificationItem, params, state::AppState, subscription::list::SubscriptionItem};

pub fn doc(config: &Config) -> Doc {
    let list = json!({ "$ref": "#/components/schemas/MemberList" });
    let count = json!({ "type": "integer", "minimum": 1, "maximum": config.listing.max_page_size });
    Doc::new("member", "member_lists", "/api/member_lists.php", "One of the member's own lists")
        .about(
            "Newest first; saved searches by name. A video that has been deleted or is unfinished is listed without a title, so that it can be \
             removed. The feed has the new videos of what the member follows: pass `next` of a page as `after` of the next one, so that \
             nothing is repeated when something new is posted meanwhile; totals then count what is left. An empty history has the code \
             `empty_history`, a page past the end of one `videos_not_found`.",
        )
        .for_members()
        .takes(query("list", "Which list.", list, MemberList::FavouriteVideos.as_str()).required())
        .takes_all([params::page_query(), query("count", "Items per page.", count, 20), params::lang()])
        .takes(query("after", "Where the feed continues: `next` of the previous page.", json!({ "type": "string", "pattern": "^-?[0-9]+\\.[0-9]+$" }), ""))
        .answers::<MemberListAnswer>("A page of the list.")
        .refuses(refusal(422, &[("required", "`list` is missing")]))
        .refuses(invalid())
}

pub async fn lists(State(state): State<AppState>, member: Member, query: Query) -> ApiResult<Response> {
    let list: MemberList = query.word("list")?.ok_or(ApiError::required("list"))?;
    let area = &state.config.member_area;
    let default = match list {
        MemberList::Messages => area.messages_page,
        MemberList::Notifications => state.config.notifications.page,
        MemberList::Subscriptions | MemberList::FriendRequests | MemberList::Blocks => state.config.listing.people_page,
        _ => area.page,
    };
    let window = params::window(&query, default, state.config.listing.max_page_size)?;
    let lang = query.lang()?;
    let request = ListRequest { state: &state, member: &member, window, lang };
    let answer = match list {
        MemberList::Feed => request.feed(&query).await?,
        MemberList::History => request.history().await?,
        MemberList::Unfinished => {
            let part = (area.resume_from, area.resume_until);
            request.videos(own::unfinished(&state.pool, member.id, part, window).await?).await?
        }
        MemberList::FavouriteVideos => request.videos(own::favourites(&state.pool, member.id, window).await?).await?,
        MemberList::WatchLaterVideos => request.videos(own::watch_later(&state.pool, member.id, window).await?).await?,
        MemberList::UploadedVideos => request.videos(own::uploads(&state.pool, member.id, window).await?).await?,
        MemberList::Albums => request.albums().await?,
        MemberList::Playlists => request.playlists().await?,
        MemberList::Messages => request.conversations().await?,
        MemberList::Subscriptions => request.subscriptions().await?,
        MemberList::FriendRequests => request.members(friends::incoming(&state.pool, member.id, window).await?).await?,
        MemberList::SavedSearches => request.saved_searches().await?,
        MemberList::Notifications => request.notifications().await?,
        MemberList::Blocks => request.members(blocks::list(&state.pool, member.id, window).await?).await?,
    };
    Ok(private::answer(answer))
}

/// The request and the member who sent it.
struct ListRequest<'a> {
    state: &'a AppState,
    member: &'a Member,
    window: Window,
    lang: Lang,
}

impl ListRequest<'_> {
    fn totals(&self, total: i64, shown: usize, none: &'static str) -> Totals {
        Totals::new(total, self.window.limit, shown, none)
    }

    async fn videos(&self, page: Page<ListedVideo>) -> ApiResult<MemberListAnswer> {
        let videos =
            cards::videos(&self.state.pool, &self.state.reader.categories, self.member, &page.items, self.lang).await?;
        let totals = self.totals(page.total, videos.len(), "videos_not_found");
        Ok(MemberListAnswer::Videos(OwnVideos { videos, paused: None, next: None, totals }))
    }

    async fn history(&self) -> ApiResult<MemberListAnswer> {
        let page = own::history(&self.state.pool, self.member.id, self.window).await?;
        let paused = history::is_paused(&self.state.pool, self.member.id).await?;
        let videos =
            cards::videos(&self.state.pool, &self.state.reader.categories, self.member, &page.items, self.lang).await?;
        // A page past the end is empty, too, although the history is not.
        let none = if page.total == 0 { "empty_history" } else { "videos_not_found" };
        let totals = self.totals(page.total, videos.len(), none);
        Ok(MemberListAnswer::Videos(OwnVideos { videos, paused: Some(paused), next: None, totals }))
    }

    async fn feed(&self, query: &Query) -> ApiResult<MemberListAnswer> {
        let part = (
            usize::try_from(self.window.offset).unwrap_or(usize::MAX),
            usize::try_from(self.window.limit).unwrap_or(usize::MAX),
        );
        let feed = feed::feed(&self.state.pool, &self.state.reader, self.member, query, part, self.lang).await?;
        let totals = self.totals(feed.total, feed.videos.len(), "videos_not_found");
        Ok(MemberListAnswer::Videos(OwnVideos { videos: feed.videos, paused: None, next: feed.next, totals }))
    }

    async fn albums(&self) -> ApiResult<MemberListAnswer> {
        let page = own::albums(&self.state.pool, self.member.id, self.window).await?;
        let categories = self.state.reader.categories.current().await?;
        let card = |album| cards::album(album, self.member.id, &categories, self.lang);
        let totals = self.totals(page.total, page.items.len(), "albums_not_found");
        Ok(MemberListAnswer::Albums(OwnAlbums { albums: page.items.into_iter().map(card).collect(), totals }))
    }

    async fn playlists(&self) -> ApiResult<MemberListAnswer> {
        let page = own::playlists(&self.state.pool, self.member.id, self.window).await?;
        let totals = self.totals(page.total, page.items.len(), "playlists_not_found");
        let card = |playlist| cards::playlist(playlist, self.member);
        Ok(MemberListAnswer::Playlists(OwnPlaylists { playlists: page.items.into_iter().map(card).collect(), totals }))
    }

    async fn conversations(&self) -> ApiResult<MemberListAnswer> {
        let page = messages::conversations(&self.state.pool, self.member.id, self.window).await?;
        let totals = self.totals(page.total, page.items.len(), "messages_not_found");
        let conversations = page.items.into_iter().map(ConversationItem::from).collect();
        Ok(MemberListAnswer::Conversations(Conversations { conversations, totals }))
    }

    async fn notifications(&self) -> ApiResult<MemberListAnswer> {
        let page = notifications::list(&self.state.pool, self.member.id, self.window, self.lang).await?;
        let totals = self.totals(page.total, page.items.len(), "notifications_not_found");
        let notifications = page.items.into_iter().map(NotificationItem::from).collect();
        Ok(MemberListAnswer::Notifications(OwnNotifications { notifications, totals }))
    }

    async fn subscriptions(&self) -> ApiResult<MemberListAnswer> {
        let page = community::subscriptions(&self.state.pool, self.member.id, self.window, self.lang).await?;
        let totals = self.totals(page.total, page.items.len(), "subscriptions_not_found");
        let subscriptions = page.items.into_iter().map(SubscriptionItem::from).collect();
        Ok(MemberListAnswer::Subscriptions(OwnSubscriptions { subscriptions, totals }))
    }

    async fn saved_searches(&self) -> ApiResult<MemberListAnswer> {
        let page = own::saved_searches(&self.state.pool, self.member.id, self.window).await?;
        let totals = self.totals(page.total, page.items.len(), "saved_searches_not_found");
        let saved_searches = page.items.into_iter().map(SavedSearchItem::from).collect();
        Ok(MemberListAnswer::SavedSearches(SavedSearches { saved_searches, totals }))
    }

    /// Returns a list of members. The catalog provides the ids, and the index provides the cards.
    async fn members(&self, page: Page<i64>) -> ApiResult<MemberListAnswer> {
        let id = |doc: &MemberDoc| doc.id;
        let docs =
            in_order(&self.state.reader.search, IndexName::Members, MemberDoc::fields(), &page.items, id).await?;
        let totals = self.totals(page.total, docs.len(), "members_not_found");
        let now = (self.state.now)();
        let members = docs.into_iter().map(|doc| MemberCard::new(doc, now)).collect();
        Ok(MemberListAnswer::Members(OwnMembers { members, totals }))
    }
}
