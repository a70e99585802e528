-- A new film for a video that keeps its address (ADR 106): a video of its own, the replacement, which carries the film through
-- processing and review. The two then swap their films, and the replacement is deleted with the former one.
alter table videos
    -- The video that gets the film. A replacement waits for its decision or is deleted, so nothing can publish it.
    add column replaces bigint references videos on delete cascade,
    -- When the films were swapped. From then on the row holds the former film of the other video.
    add column replaced_at timestamptz,
    add constraint videos_replacement_hidden check (replaces is null or status_id in (2, 5)),
    add constraint videos_replaced_is_deleted check (replaced_at is null or (replaces is not null and status_id = 5));
create index videos_replaces on videos (replaces) where replaces is not null;
create unique index videos_replacement_open on videos (replaces) where replaces is not null and status_id <> 5;

alter table uploads
    -- The video whose film it is to replace; NULL again once it has.
    add column replaces bigint references videos on delete cascade;
create index uploads_replaces on uploads (replaces) where replaces is not null;
create unique index uploads_replacement_open on uploads (replaces)
    where replaces is not null and state in ('receiving', 'received', 'processing');

-- Whether a video may get a new film: it is published, waits for a decision or is scheduled, and has one.
create function is_replaceable(video videos) returns boolean language sql immutable parallel safe
    return video.status_id in (published(), in_review(), scheduled()) and video.media_key is not null and video.replaces is null;

-- A video that was deleted, taken down or rejected gets no new film, whoever ended it and however far the film has come. Nobody
-- has seen that film, so its files need no grace period.
create function replacements_end() returns trigger language plpgsql as $$
begin
    update videos set status_id = deleted(), deleted_at = '-infinity' where replaces = new.id and status_id <> deleted();
    delete from uploads where replaces = new.id and state <> 'done';
    return null;
end $$;
create trigger videos_replacements_end after update on videos for each row
    when (old.status_id in (1, 2, 6) and new.status_id not in (1, 2, 6) and new.replaces is null)
    execute function replacements_end();

-- A replacement is nobody's to see, like or list, not even its member's. Moderators review it.
create or replace function is_open_to(video videos, member_id bigint) returns boolean language sql immutable parallel safe
    return (video.status_id = published() or video.user_id = member_id and video.status_id <> deleted()) and video.replaces is null;
create or replace function visible_to(section text, object_id bigint, member_id bigint) returns boolean language sql stable as $$
    select case section
        when 'video' then exists (select from videos
            where id = object_id and (visible or user_id = member_id and status_id <> 5) and replaces is null)
        when 'album' then exists (select from albums where id = object_id and (visible or user_id = member_id and status_id <> 5))
        when 'model' then exists (select from models where id = object_id)
        when 'channel' then exists (select from channels where id = object_id)
        when 'playlist' then exists (select from playlists p join users u on u.id = p.user_id
            where p.id = object_id and u.status_id <> 5 and (p.visibility = 'public' or p.user_id = member_id))
        when 'user' then exists (select from users
            where id = object_id and status_id <> 5 and email_confirmed_at is not null and hidden_at is null)
        else false end
$$;

-- Members are told of the video, which is what they know.
alter table notifications
    drop constraint notifications_kind_known,
    add constraint notifications_kind_known check (kind in ('reply', 'comment', 'friend_request', 'friend_accepted', 'message',
        'upload_published', 'upload_refused', 'upload_failed', 'film_replaced', 'film_refused'));
create or replace view shown_notifications as
select n.id, n.user_id, n.kind, n.section, n.object_id, u.id as actor_id, u.username, u.avatar_key, n.times, n.happened_at, n.read_at
from notifications n left join users u on u.id = n.actor_id and u.status_id <> 5
where n.removed_at is null
  and (u.id is not null or n.kind like 'upload%' or n.kind like 'film%' or n.is_shared)
  and case when n.section = 'upload' then exists (select from uploads where id = n.object_id)
           else visible_to(n.section, n.object_id, n.user_id) end;
create function replacements_tell() returns trigger language plpgsql as $$
begin
    perform tell_member(new.user_id, case when new.replaced_at is null then 'film_refused' else 'film_replaced' end,
        'video', new.replaces, null);
    return null;
end $$;
create trigger videos_replacement_tell after update on videos for each row
    when (new.replaces is not null and old.status_id = 2 and new.status_id = 5
          and (new.replaced_at is not null or new.rejection is not null))
    execute function replacements_tell();
create or replace function uploads_tell() returns trigger language plpgsql as $$
begin
    if new.replaces is null then
        perform tell_member(new.user_id, 'upload_failed', 'upload', new.id, null);
    else
        perform tell_member(new.user_id, 'film_refused', 'video', new.replaces, null);
    end if;
    return null;
end $$;
