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
use lantern_config::{
    AlbumSort, CategorySection, CommentSection, LARGEST_PAGE, MemberSort, PlaylistSort, VideoSort, VideoType, lifetimes,
};
use lantern_errors::ApiResult;
use lantern_http::{Client, Query, cache::Answer, openapi::address};
use lantern_listing::pages::{
    member_filters::MemberListFilters,
    query,
    screen::{ModelsScreen, Scope, VideosScreen, is_range, split_range},
};
use lantern_listing::{ListPath, MemberFilters, MemberPath, ModelFilters, Names, ObjectList, ObjectPath, dir};
use lantern_search::{index::VideosAnswer, length, searches::Searches};
use serde::Serialize;

use crate::describe::Scene;

/// Number of items per results page (docs/PRODUCT.md).
const PAGE_SIZE: u32 = 60;

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
        self.load(
            async move { model::show::get(&self.sources, lifetimes::DEFAULT, &dir(name, "model_not_found")?).await },
        )
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
        self.load(subscription::list::get(&self.sources, MemberPath { lifetime: lifetimes::MEMBER, member, page }))
    }

    /// Returns sorted albums: all albums, or those of a member.
    pub fn album_list(&self, sort: AlbumSort, member: Option<i64>, page: u32) -> Pending<'_, AlbumsAnswer> {
        self.load(async move {
            let list = self.object_list(sort.as_str(), member, page, album::list::has)?;
            album::list::get(&self.sources, list, self.visitor.lang()).await
        })
    }

    /// Returns sorted playlists: all playlists, or those of a member.
    pub fn playlist_list(&self, sort: PlaylistSort, member: Option<i64>, page: u32) -> Pending<'_, PlaylistsAnswer> {
        self.load(async move {
            playlist::list::get(&self.sources, self.object_list(sort.as_str(), member, page, playlist::list::has)?)
                .await
        })
    }

    pub fn member_list(&self, sort: MemberSort, filters: &MemberListFilters, page: u32) -> Pending<'_, MembersAnswer> {
        let filters = MemberFilters::parse(&format!("filt{}", filters.segment()));
        self.load(async move {
            member::list::get(
                &self.sources,
                lifetimes::MEMBER,
                (filters?, sort),
                (page, LARGEST_PAGE),
                self.visitor.lang(),
            )
            .await
        })
    }

    pub fn model_list(&self, list: &ModelsScreen) -> Pending<'_, ModelsAnswer> {
        let (gender, lang) = (self.visitor.gender, self.visitor.lang());
        let spelled = |spell: fn(&str) -> String| -> String {
            list.filters.iter().map(|(name, value)| format!("-{name}~{}", spell(&bounded(*name, value)))).collect()
        };
        // The app's address contains the filters as selected, not in canonical form.
        let values: [&dyn Display; 6] =
            [&lifetimes::DEFAULT, &gender, &spelled(encode_component), &list.sort, &PAGE_SIZE, &list.page];
        let url = format!("{}?lang={lang}", address(model::list::ADDRESS, &values));
        let filters = ModelFilters::parse(&format!("filt{}", spelled(str::to_owned)));
        let (sort, page) = (list.sort, list.page);
        let answer = async move {
            model::list::get(&self.sources, lifetimes::DEFAULT, (gender, filters?, sort), (page, PAGE_SIZE), lang).await
        };
        self.answers.slot().fill(Some(url), answer).boxed()
    }

    /// Returns a list of videos. It is empty for a search whose query is too short or too long.
    pub fn video_list(&self, list: &VideosScreen) -> Pending<'_, VideosAnswer> {
        let lifetime = if list.sort == VideoSort::LatestUpdates { lifetimes::LATEST } else { lifetimes::DEFAULT };
        let tail = format!("{}.{}.{}.{}", list.page, list.kind, list.duration, list.date);
        let object = match &list.scope {
            Scope::Search(text) => {
                let sort = list.sort;
                if !length::fits(&self.app.config.listing, text) {
                    return future::ok(Arc::default()).boxed();
                }
                let params = format!("{lifetime}/{}/{sort}/{PAGE_SIZE}/search..{tail}", self.visitor.gender);
                let query = query::write(&[("params", &*params), ("s", text), ("lang", self.visitor.lang().as_str())]);
                return self.search(query, list.names.clone()).boxed();
            }
            Scope::Browse(categories) if categories.is_empty() => "all.".to_owned(),
            Scope::Browse(categories) => format!("categories.{}", join_sorted(categories)),
            Scope::Country(country) => format!("top-country.{}", country.as_ref().unwrap_or(&self.visitor.country)),
            Scope::Model(dir) => format!("model.{dir}"),
        };
        self.videos_at(lifetime, list.sort, &format!("{object}.{tail}"), &list.names)
    }

    /// Returns the videos of a member or playlist. `owner` is the word for the member or playlist in the call's address.
    pub fn owned_videos(&self, lifetime: u32, owner: &str, id: i64, page: u32) -> Pending<'_, VideosAnswer> {
        self.videos_at(
            lifetime,
            VideoSort::LatestUpdates,
            &format!("{owner}.{id}.{page}.all.all.all"),
            &Names::default(),
        )
    }

    fn videos_at(&self, lifetime: u32, sort: VideoSort, file: &str, names: &Names) -> Pending<'_, VideosAnswer> {
        let (lifetime, count) = (lifetime.to_string(), PAGE_SIZE.to_string());
        let segments = [&*lifetime, self.visitor.gender.as_str(), sort.as_str(), &count, file];
        let (config, names) = (&self.app.config, names.clone());
        let path = ListPath::parse(segments, lifetimes::LISTS, config);
        self.load(async move {
            let path = path?.named(names.checked(config)?);
            video::list::get(&self.sources, self.requester(), &path, self.visitor.lang()).await
        })
    }

    /// Searches with the parameters of the call, plus the categories and models to filter by.
    async fn search(&self, query: String, names: Names) -> ApiResult<Arc<VideosAnswer>> {
        let slot = self.answers.slot();
        let query = format!("{query}{}", names.checked(&self.app.config)?);
        let mut parts = self.parts.clone();
        let client = Client::from_request_parts(&mut parts, self.app).await?;
        let params = Query::parse(query.trim_start_matches('?'))?;
        if self.strict {
            return Ok(Arc::new(ask::find_exactly(&Searches::from_ref(self.app), &client, &params).await?));
        }
        let searcher = Searcher::from_request_parts(&mut parts, self.app).await?;
        let found = ask::find(&Searches::from_ref(self.app), &client, searcher, &params).await?;
        slot.put(format!("{}{query}", ask::ADDRESS), Bytes::from(serde_json::to_vec(&found)?));
        Ok(Arc::new(found.list))
    }

    fn object_list<S: std::str::FromStr + Display>(
        &self,
        sort: &str,
        member: Option<i64>,
        page: u32,
        has: fn(&lantern_listing::Section) -> bool,
    ) -> ApiResult<ObjectList<S>> {
        let (lifetime, of) = match member {
            Some(id) => (lifetimes::MEMBER, format!("member.{id}")),
            None => (lifetimes::DEFAULT, "all.".to_owned()),
        };
        let (lifetime, count, file) = (lifetime.to_string(), PAGE_SIZE.to_string(), format!("{of}.{page}"));
        let segments = [&*lifetime, self.visitor.gender.as_str(), sort, &count, &file];
        ObjectList::parse(segments, has, &self.app.config)
    }
}

/// Joins values in sorted order, as InstantSearch sends them, regardless of their order in the address.
fn join_sorted(values: &[String]) -> String {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.join(",")
}

/// Returns a filter's value. The open ends of a range become 0 and 999.
fn bounded(filter: lantern_config::ModelFilter, value: &str) -> String {
    match split_range(value).filter(|_| is_range(filter)) {
        Some((low, high)) => {
            format!("{}.{}", if low.is_empty() { "0" } else { low }, if high.is_empty() { "999" } else { high })
        }
        None => value.to_owned(),
    }
}

/// Encodes like a browser's `encodeURIComponent`.
fn encode_component(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let spell = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(spell).collect()
}
