//! Export of all data stored about a member, as JSON intended only for that member.

use serde_json::Value;
use sqlx::PgPool;

use crate::Result;

/// Returns the member's rows, table by table. The export excludes secrets (password and token hashes) and what other
/// members keep private (who blocks or has reported the member). Returns `None` if no such member exists.
pub async fn export(pool: &PgPool, user_id: i64) -> Result<Option<Value>> {
    let query = sqlx::query_scalar!(
        r#"select jsonb_build_object(
            'account', jsonb_build_object('user_id', u.id, 'username', u.username, 'email', u.email, 'status_id', u.status_id,
                'has_password', u.password_hash is not null, 'google', u.oidc_subject is not null,
                'email_confirmed_at', u.email_confirmed_at, 'created_at', u.created_at,
                'avatar_key', u.avatar_key, 'cover_key', u.cover_key,
                'premium_until', (select until from premium p where p.user_id = u.id)),
            'profile', (select to_jsonb(p) - 'user_id' from profiles p where p.user_id = u.id),
            'profile_changes_in_review', (select coalesce(jsonb_agg(to_jsonb(w) - 'user_id' order by w.kind), '[]')
                from profile_reviews w where w.user_id = u.id),
            'statistics', (select to_jsonb(s) - 'user_id' from user_stats s where s.user_id = u.id),
            'sessions', (select coalesce(jsonb_agg(to_jsonb(s) - '{user_id,token_hash}'::text[] order by s.id), '[]')
                from sessions s where s.user_id = u.id),
            'videos', (select coalesce(jsonb_agg(to_jsonb(v) - 'user_id' || jsonb_build_object('captions',
                (select coalesce(jsonb_agg(to_jsonb(c) - 'video_id' order by c.lang, c.kind), '[]') from captions c where c.video_id = v.id))
                order by v.id), '[]') from videos v where v.user_id = u.id and v.replaces is null),
            'albums', (select coalesce(jsonb_agg(to_jsonb(a) - 'user_id' || jsonb_build_object('photos',
                    (select coalesce(jsonb_agg(to_jsonb(f) - '{album_id,digest}'::text[] order by f.position), '[]') from photos f where f.album_id = a.id))
                    order by a.id), '[]') from albums a where a.user_id = u.id),
            'uploads', (select coalesce(jsonb_agg(to_jsonb(f) - '{user_id,token,sha256}'::text[] order by f.id), '[]')
                from uploads f where f.user_id = u.id),
            'playlists', (select coalesce(jsonb_agg(to_jsonb(l) - 'user_id' || jsonb_build_object('videos',
                    (select coalesce(jsonb_agg(i.video_id order by i.position), '[]') from playlist_items i where i.playlist_id = l.id))
                    order by l.id), '[]') from playlists l where l.user_id = u.id),
            'comments', (select coalesce(jsonb_agg(to_jsonb(c) - 'user_id' order by c.id), '[]') from comments c where c.user_id = u.id),
            'wall', (select coalesce(jsonb_agg(to_jsonb(w) order by w.id), '[]')
                from walls w where w.author_id = u.id or w.user_id = u.id and w.deleted_at is null),
            'messages', (select coalesce(jsonb_agg(to_jsonb(m) - '{sender_deleted,recipient_deleted}'::text[] order by m.id), '[]')
                from messages m where m.sender_id = u.id and not m.sender_deleted
                    or m.recipient_id = u.id and not m.recipient_deleted),
            'friends', (select coalesce(jsonb_agg(to_jsonb(f) order by f.created_at), '[]')
                from friends f where u.id in (f.user_id, f.friend_id)),
            'blocks', (select coalesce(jsonb_agg(to_jsonb(b) - 'user_id' order by b.created_at), '[]') from blocks b where b.user_id = u.id),
            'subscriptions', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.created_at), '[]')
                from subscriptions s where s.user_id = u.id),
            'favourites', (select coalesce(jsonb_agg(to_jsonb(f) - 'user_id' order by f.added_at), '[]') from favourites f where f.user_id = u.id),
            'watch_later', (select coalesce(jsonb_agg(to_jsonb(w) - 'user_id' order by w.added_at), '[]') from watch_later w where w.user_id = u.id),
            'history', (select coalesce(jsonb_agg(to_jsonb(h) - 'user_id' order by h.watched_at), '[]') from history h where h.user_id = u.id),
            'mutes', (select coalesce(jsonb_agg(to_jsonb(m) - 'user_id' order by m.created_at), '[]') from mutes m where m.user_id = u.id),
            'watched_muted', exists (select from watched_mutes m where m.user_id = u.id),
            'history_paused', exists (select from history_pauses h where h.user_id = u.id),
            'saved_searches', (select coalesce(jsonb_agg(to_jsonb(s) - 'user_id' order by s.id), '[]')
                from saved_searches s where s.user_id = u.id),
            'votes', (select coalesce(jsonb_agg(to_jsonb(v) - '{user_id,guest_key}'::text[] order by v.id), '[]') from votes v where v.user_id = u.id),
            'comment_likes', (select coalesce(jsonb_agg(to_jsonb(l) - 'user_id' order by l.created_at), '[]') from comment_likes l where l.user_id = u.id),
            'wall_likes', (select coalesce(jsonb_agg(to_jsonb(l) - 'user_id' order by l.created_at), '[]') from wall_likes l where l.user_id = u.id),
            'notifications', (select coalesce(jsonb_agg(to_jsonb(n) - 'user_id' order by n.id), '[]')
                from notifications n where n.user_id = u.id and n.removed_at is null),
            'notification_settings', (select to_jsonb(s) - '{user_id,stop_token}'::text[] from notification_settings s where s.user_id = u.id),
            'reports', (select coalesce(jsonb_agg(jsonb_build_object('subject', r.subject, 'email', r.email, 'message', r.message,
                    'ref', r.ref, 'section', r.section, 'object_id', r.object_id, 'reason', r.reason, 'state', r.state,
                    'created_at', r.created_at) order by r.id), '[]') from reports r where r.user_id = u.id)
        ) as "export!" from users u where u.id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(pool).await?)
}
