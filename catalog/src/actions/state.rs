//! A member's relation to an object, for the buttons on the object's page.

use lantern_config::Section;
use sqlx::PgPool;

use crate::Result;

/// State of every button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// 1 if the member upvoted the object, -1 if downvoted, 0 if the member hasn't voted.
    pub vote: i16,
    /// Whether the object is a favorite.
    pub favourite: bool,
    /// Whether the object is on the "watch later" list.
    pub watch_later: bool,
    /// Ids of the member's playlists that contain the object, in ascending order.
    pub playlists: Vec<i64>,
    /// Whether the member follows the object.
    pub subscribed: bool,
    /// Friendship or request, if the object is a member.
    pub friend: Option<Friend>,
    /// Whether the member has blocked the other member.
    pub blocked: bool,
    /// Whether the member owns the object.
    pub own: bool,
    /// Playback position in seconds at which the member stopped.
    pub stopped_at: i32,
}

/// Friendship or request between two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Friend {
    /// Whether the request was sent by this member.
    pub is_requester: bool,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// Reads the state. For an object that doesn't exist, all fields have their defaults.
pub async fn of(pool: &PgPool, member: i64, section: Section, id: i64) -> Result<State> {
    let query = sqlx::query!(
        r#"select coalesce((select vote from votes where section = $2 and object_id = $3 and user_id = $1), 0::smallint) as "vote!",
                  exists (select from favourites where $2 = 'video' and user_id = $1 and video_id = $3) as "favourite!",
                  exists (select from watch_later where $2 = 'video' and user_id = $1 and video_id = $3) as "watch_later!",
                  array(select p.id from playlist_items i join playlists p on p.id = i.playlist_id
                        where $2 = 'video' and i.video_id = $3 and p.user_id = $1 order by p.id) as "playlists!",
                  exists (select from subscriptions where user_id = $1 and section = $2 and object_id = $3) as "subscribed!",
                  exists (select from blocks where $2 = 'user' and user_id = $1 and blocked_id = $3) as "blocked!",
                  f.is_requester as "is_requester?", f.accepted as "accepted?",
                  exists (select from videos where $2 = 'video' and id = $3 and user_id = $1
                          union all select from albums where $2 = 'album' and id = $3 and user_id = $1
                          union all select from playlists where $2 = 'playlist' and id = $3 and user_id = $1
                          union all select from users where $2 = 'user' and id = $3 and id = $1) as "own!",
                  coalesce((select stopped_at from history where $2 = 'video' and user_id = $1 and video_id = $3), 0) as "stopped_at!"
           from (values (1)) one left join lateral
                (select user_id = $1 as is_requester, state = 'accepted' as accepted from friends
                 where $2 = 'user' and (user_id = $1 and friend_id = $3 or user_id = $3 and friend_id = $1)) f on true"#,
        member,
        section.as_str(),
        id
    );
    let row = query.fetch_one(pool).await?;
    Ok(State {
        vote: row.vote,
        favourite: row.favourite,
        watch_later: row.watch_later,
        playlists: row.playlists,
        subscribed: row.subscribed,
        friend: row.is_requester.zip(row.accepted).map(|(is_requester, accepted)| Friend { is_requester, accepted }),
        blocked: row.blocked,
        own: row.own,
        stopped_at: row.stopped_at,
    })
}
