//! The first calls of each screen, at the addresses that the app uses (`web/src/api/endpoints.ts`, `web/src/search/request.ts`). The app
//! would request an answer again if it had any other address.

use std::{fmt::Display, sync::Arc};

use axum::extract::{FromRef, FromRequestParts};
use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{self, BoxFuture},
};
use lantern_api::{
    access::{AccessCheck, Requester},
    album::{self, list::AlbumsAnswer, show::AlbumAnswer},
    category::{self, CategoriesAnswer},
    comment::{item::CommentsAnswer, list as comments, part::ThreadPart, walls},
    friend::{self, list::FriendsAnswer},
    home::{
        blocks::{self, HomeAnswer},
        frame::{self, MainAnswer},
    },
    member::{self, list::MembersAnswer, show::MemberAnswer},
    model::{self, list::ModelsAnswer, show::ModelAnswer},
    playlist::{self, list::PlaylistsAnswer, show::PlaylistAnswer},
    search::{ask, searcher::Searcher},
    subscription::{self, list::SubscriptionsAnswer},
    video::{
        self,
        related::{self, RelatedAnswer},
        show::VideoAnswer,
    },
};
use lantern_config::{AlbumSort, CategorySection, CommentSection, PlaylistSort, VideoSort, VideoType, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{Client, cache::Answer, no_nul, normalized, openapi::address};
use lantern_listing::{
    Choices, MemberPath, Names, ObjectList, ObjectPath, ObjectSort, Section, VideoList, calls, dir,
    pages::{MemberPage, ModelPage, PAGE_SIZE, Scope, VideoPage, query},
};
use lantern_ratelimit::Action;
use lantern_search::{exclusions::ListBounds, index::VideosAnswer, length, request::SearchRequest, searches::Searches};
use serde::Serialize;

use crate::describe::Scene;

/// A pending answer. It is boxed because a page awaits several of these large futures at once.
type Pending<'a, T> = BoxFuture<'a, ApiResult<Arc<T>>>;

impl Scene<'_> {
    /// Reserves the next slot and fills it. Slots are in call order, regardless of which answer arrives first.
    fn load<'a, T: Serialize + Send + Sync + 'a, A: Into<Answer<T>> + 'a>(
        &'a self,
        answer: impl Future<Output = ApiResult<A>> + Send + 'a,
    ) -> Pending<'a, T> {
        self.answers.slot().fill(None, answer).boxed()
    }

    /// Returns the requester for objects that may be hidden. The session is read only if a guest is refused. Feeds always treat the
    /// requester as a guest.
    fn requester(&self) -> Requester {
        let (parts, check) = (self.parts.clone(), AccessCheck::from_ref(self.app));
        if self.strict { Requester::guest(parts, check) } else { Requester::new(parts, check) }
    }

    /// Returns the data for the frame of every page.
    pub fn frame(&self) -> Pending<'_, MainAnswer> {
        self.load(frame::get(
            &self.sources,
            &self.app.keywords,
            (lifetimes::HOME, self.visitor.gender, self.visitor.lang()),
        ))
    }

    pub fn blocks(&self) -> Pending<'_, HomeAnswer> {
        let of = (self.visitor.gender, self.visitor.country.as_str());
        self.load(blocks::get(&self.sources, lifetimes::LATEST, of, self.visitor.lang()))
    }

    pub fn all_categories(&self) -> Pending<'_, CategoriesAnswer> {
        let of = (self.visitor.gender, CategorySection::All);
        self.load(category::get(&self.sources, lifetimes::DEFAULT, of, self.visitor.lang()))
    }

    pub fn one_video(&self, id: i64) -> Pending<'_, VideoAnswer> {
        let path = ObjectPath { lifetime: lifetimes::DEFAULT, id };
        self.load(video::show::get(&self.sources, self.requester(), path, self.visitor.lang()))
    }

    pub fn related(&self, id: i64) -> Pending<'_, RelatedAnswer> {
        let path = ObjectPath { lifetime: lifetimes::RELATED, id };
        self.load(related::get(
            &self.sources,
            path,
            (VideoType::All, 1, self.app.config.listing.related_page()),
            self.visitor.lang(),
        ))
    }

    /// Returns the comments on an object.
    pub fn comments(&self, section: CommentSection, id: i64) -> Pending<'_, CommentsAnswer> {
        let path = ObjectPath { lifetime: lifetimes::DEFAULT, id };
        self.load(comments::get(&self.sources, self.requester(), section, path, ThreadPart::page(1)))
    }

    pub fn one_model<'a>(&'a self, name: &'a str) -> Pending<'a, ModelAnswer> {
        self.load(async move {
            let dir = dir(name, "model_not_found")?;
            model::show::get(&self.sources, lifetimes::DEFAULT, &dir, self.visitor.lang()).await
        })
    }

    pub fn model_comments<'a>(&'a self, name: &'a str) -> Pending<'a, CommentsAnswer> {
        self.load(async move {
            walls::get_of_model(&self.sources, lifetimes::DEFAULT, &dir(name, "model_not_found")?, ThreadPart::page(1))
                .await
        })
    }

    pub fn one_album(&self, id: i64) -> Pending<'_, AlbumAnswer> {
        let path = ObjectPath { lifetime: lifetimes::DEFAULT, id };
        self.load(album::show::get(&self.sources, self.requester(), path, self.visitor.lang()))
    }

    pub fn one_playlist(&self, id: i64) -> Pending<'_, PlaylistAnswer> {
        self.load(playlist::show::get(&self.sources, self.requester(), ObjectPath { lifetime: lifetimes::DEFAULT, id }))
    }

    pub fn one_member(&self, id: i64) -> Pending<'_, MemberAnswer> {
        self.load(member::show::get(&self.sources, ObjectPath { lifetime: lifetimes::MEMBER, id }))
    }

    pub fn wall(&self, member: i64, page: u32) -> Pending<'_, CommentsAnswer> {
        self.load(walls::get_of_member(
            &self.sources,
            MemberPath { lifetime: lifetimes::MEMBER, member, page },
            ThreadPart::page(page),
        ))
    }

    pub fn friends(&self, member: i64, page: u32) -> Pending<'_, FriendsAnswer> {
        self.load(friend::list::get(&self.sources, MemberPath { lifetime: lifetimes::MEMBER, member, page }))
    }

    pub fn subscriptions(&self, member: i64, page: u32) -> Pending<'_, SubscriptionsAnswer> {
        let path = MemberPath { lifetime: lifetimes::MEMBER, member, page };
        self.load(subscription::list::get(&self.sources, path, self.visitor.lang()))
    }

    /// Returns sorted albums: all albums, or those of a member.
    pub fn album_list(&self, sort: AlbumSort, member: Option<i64>, page: u32) -> Pending<'_, AlbumsAnswer> {
        self.load(async move {
            album::list::get(&self.sources, self.object_list(sort, member, page)?, self.visitor.lang()).await
        })
    }

    /// Returns sorted playlists: all playlists, or those of a member.
    pub fn playlist_list(&self, sort: PlaylistSort, member: Option<i64>, page: u32) -> Pending<'_, PlaylistsAnswer> {
        self.load(async move { playlist::list::get(&self.sources, self.object_list(sort, member, page)?).await })
    }

    pub fn member_list(&self, list: &MemberPage) -> Pending<'_, MembersAnswer> {
        let list = list.list();
        self.load(async move { member::list::get(&self.sources, list?, self.visitor.lang()).await })
    }

    pub fn model_list(&self, list: &ModelPage) -> Pending<'_, ModelsAnswer> {
        let (gender, lang) = (self.visitor.gender, self.visitor.lang());
        let filters = list.values().map(|(name, value)| format!("-{name}~{}", encode_component(&value)));
        // The app's address contains the filters as selected, not in canonical form.
        let values: [&dyn Display; 6] =
            [&lifetimes::DEFAULT, &gender, &filters.collect::<String>(), &list.sort, &PAGE_SIZE, &list.page];
        let url = format!("{}?lang={lang}", address(calls::MODELS, &values));
        let list = list.list(gender);
        self.answers.slot().fill(Some(url), async move { model::list::get(&self.sources, list?, lang).await }).boxed()
    }

    /// Returns a list of videos. It is empty for a search whose query is too short or too long.
    pub fn video_list(&self, page: &VideoPage) -> Pending<'_, VideosAnswer> {
        let list = page.list(self.visitor.gender, &self.visitor.country);
        match &page.scope {
            Scope::Search(text) if !length::fits(&self.app.config.listing, text) => future::ok(Arc::default()).boxed(),
            Scope::Search(text) => self.search(text.clone(), list).boxed(),
            _ => self.listed_videos(list),
        }
    }

    /// Returns the videos of a member or playlist.
    pub fn owned_videos(&self, lifetime: u32, section: Section, page: u32) -> Pending<'_, VideosAnswer> {
        self.listed_videos(VideoList {
            lifetime,
            gender: self.visitor.gender,
            sort: VideoSort::LatestUpdates,
            count: PAGE_SIZE,
            section,
            page,
            choices: Choices::default(),
            names: Names::default(),
        })
    }

    fn listed_videos(&self, list: VideoList) -> Pending<'_, VideosAnswer> {
        self.load(async move {
            let list = list.checked(&self.app.config)?;
            video::list::get(&self.sources, self.requester(), &list, self.visitor.lang()).await
        })
    }

    async fn search(&self, text: String, list: VideoList) -> ApiResult<Arc<VideosAnswer>> {
        let slot = self.answers.slot();
        let (list, text, lang) = (list.checked(&self.app.config)?, no_nul(text)?, self.visitor.lang());
        let url = query::write(&[("params", &list.to_string()), ("s", &text), ("lang", lang.as_str())]);
        let url = format!("{}{url}{}", ask::ADDRESS, list.query());
        let text = normalized("s", &text, length::lengths(&self.app.config.listing, &text))?;
        let request = SearchRequest { text, list, allowed: ListBounds::everything(), lang };
        let mut parts = self.parts.clone();
        let client = Client::from_request_parts(&mut parts, self.app).await?;
        let searches = Searches::from_ref(self.app);
        searches.limits.check(Action::Search, client.key)?;
        if self.strict {
            return Ok(Arc::new(ask::find_exactly(&searches, &request).await?));
        }
        let searcher = Searcher::from_request_parts(&mut parts, self.app).await?;
        let found = ask::find(&searches, searcher, request).await?;
        slot.put(url, Bytes::from(serde_json::to_vec(&found)?));
        Ok(Arc::new(found.list))
    }

    fn object_list<S: ObjectSort>(&self, sort: S, member: Option<i64>, page: u32) -> ApiResult<ObjectList<S>> {
        let (lifetime, section) = match member {
            Some(id) => (lifetimes::MEMBER, Section::Member(id)),
            None => (lifetimes::DEFAULT, Section::All),
        };
        let list = ObjectList { lifetime, gender: self.visitor.gender, sort, count: PAGE_SIZE, section, page };
        list.checked(&self.app.config)
    }
}

/// Encodes like a browser's `encodeURIComponent`.
fn encode_component(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let spell = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(spell).collect()
}
