-- Talk between members. Comments and entries of walls have replies, one level deep, and likes; members are told what happens.

-- The comment that is answered. No foreign key: replies stay when its author's account goes, under a place that is empty.
alter table comments add column parent_id bigint;
alter table walls add column parent_id bigint;
create index comments_replies on comments (parent_id, id) where parent_id is not null;
create index walls_replies on walls (parent_id, id) where parent_id is not null;

create table comment_likes (
    comment_id bigint not null references comments on delete cascade,
    user_id bigint not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (comment_id, user_id)
);
create index comment_likes_user on comment_likes (user_id);

create table wall_likes (
    wall_id bigint not null references walls on delete cascade,
    user_id bigint not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (wall_id, user_id)
);
create index wall_likes_user on wall_likes (user_id);

-- What is shown of both: nothing that was taken away, nothing of a closed account.
create view remarks as
select c.section, c.object_id, c.id, c.parent_id, c.user_id, u.username, u.avatar_key, c.body, c.created_at,
       (select count(*) from comment_likes l where l.comment_id = c.id) as likes
from comments c join users u on u.id = c.user_id
where c.section <> 'user' and c.deleted_at is null and u.status_id <> 5
union all
select 'user', w.user_id, w.id, w.parent_id, w.author_id, u.username, u.avatar_key, w.body, w.created_at,
       (select count(*) from wall_likes l where l.wall_id = w.id)
from walls w join users u on u.id = w.author_id
where w.deleted_at is null and u.status_id <> 5;

-- Whoever blocks a member gets no replies and no likes from there either.
create or replace function comments_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(owner_of(new.section, new.object_id), new.user_id);
    perform blocks_refuse((select user_id from comments where id = new.parent_id), new.user_id);
    return new;
end $$;

create or replace function walls_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(new.user_id, new.author_id);
    perform blocks_refuse((select author_id from walls where id = new.parent_id), new.author_id);
    return new;
end $$;

create function comment_likes_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse((select user_id from comments where id = new.comment_id), new.user_id);
    return new;
end $$;
create trigger comment_likes_refuse_blocked before insert on comment_likes
    for each row execute function comment_likes_refuse_blocked();

create function wall_likes_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse((select author_id from walls where id = new.wall_id), new.user_id);
    return new;
end $$;
create trigger wall_likes_refuse_blocked before insert on wall_likes
    for each row execute function wall_likes_refuse_blocked();

-- What a member is told of. Triggers write it, as they write the outbox, so that no way to write can forget it.
create table notifications (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    kind text not null,
    -- What it is about and leads to; `upload` is a row of uploads that has no video.
    section text not null,
    object_id bigint not null,
    -- Who did it last; nobody where the site decided, or where that one is gone and others did it as well.
    actor_id bigint references users on delete set null,
    -- How often it happened since the member last read of it, and whether more than one member did it.
    times integer not null default 1,
    is_shared boolean not null default false,
    happened_at timestamptz not null default clock_timestamp(),
    read_at timestamptz,
    removed_at timestamptz,
    constraint notifications_kind_known check (kind in ('reply', 'comment', 'friend_request', 'friend_accepted', 'message',
        'upload_published', 'upload_refused', 'upload_failed')),
    constraint notifications_section_known check (section in ('video', 'album', 'model', 'playlist', 'user', 'upload'))
);
-- What was not read yet is one row, however often it happens.
create unique index notifications_group on notifications (user_id, kind, section, object_id)
    where read_at is null and removed_at is null;
create index notifications_recent on notifications (user_id, happened_at desc, id desc);
create index notifications_age on notifications (happened_at);
create index notifications_removed on notifications (removed_at) where removed_at is not null;
create index notifications_actor on notifications (actor_id) where actor_id is not null;

-- What a member wants to be told of; without a row, of everything and by no mail.
create table notification_settings (
    user_id bigint primary key references users on delete cascade,
    muted text[] not null default '{}',
    digest text not null default 'off',
    digest_lang text not null default 'en',
    digest_sent_at timestamptz not null default now(),
    -- Stops the digest, for whoever has the mail.
    stop_token uuid not null unique default gen_random_uuid(),
    constraint notification_settings_digest_known check (digest in ('off', 'daily', 'weekly'))
);
create index notification_settings_digest on notification_settings (digest_sent_at) where digest <> 'off';

-- Never about oneself, nothing of members whom one blocks, nothing that is muted.
create function tell_member(told bigint, what text, about text, about_id bigint, who bigint) returns void language plpgsql as $$
begin
    if told is null or told = who
        or exists (select from blocks where user_id = told and blocked_id = who)
        or exists (select from notification_settings where user_id = told and what = any (muted))
        or not exists (select from users where id = told and status_id <> 5) then
        return;
    end if;
    insert into notifications (user_id, kind, section, object_id, actor_id) values (told, what, about, about_id, who)
    on conflict (user_id, kind, section, object_id) where read_at is null and removed_at is null
    do update set times = notifications.times + 1, actor_id = excluded.actor_id, happened_at = excluded.happened_at,
        is_shared = notifications.is_shared or notifications.actor_id is distinct from excluded.actor_id;
end $$;

create function comments_tell() returns trigger language plpgsql as $$
declare
    answered bigint := (select user_id from comments where id = new.parent_id);
    owner bigint := owner_of(new.section, new.object_id);
begin
    perform tell_member(answered, 'reply', new.section, new.object_id, new.user_id);
    if owner is distinct from answered then
        perform tell_member(owner, 'comment', new.section, new.object_id, new.user_id);
    end if;
    return null;
end $$;
create trigger comments_tell after insert on comments for each row execute function comments_tell();

create function walls_tell() returns trigger language plpgsql as $$
declare
    answered bigint := (select author_id from walls where id = new.parent_id);
begin
    perform tell_member(answered, 'reply', 'user', new.user_id, new.author_id);
    if new.user_id is distinct from answered then
        perform tell_member(new.user_id, 'comment', 'user', new.user_id, new.author_id);
    end if;
    return null;
end $$;
create trigger walls_tell after insert on walls for each row execute function walls_tell();

-- A request that was answered, taken back or declined is no news any more.
create function friends_tell() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        delete from notifications
        where kind = 'friend_request' and user_id = old.friend_id and section = 'user' and object_id = old.user_id;
    end if;
    if tg_op = 'DELETE' then
        delete from notifications
        where kind = 'friend_accepted' and user_id = old.user_id and section = 'user' and object_id = old.friend_id;
    elsif tg_op = 'INSERT' and new.state = 'requested' then
        perform tell_member(new.friend_id, 'friend_request', 'user', new.user_id, new.user_id);
    elsif tg_op = 'UPDATE' and old.state = 'requested' and new.state = 'accepted' then
        perform tell_member(new.user_id, 'friend_accepted', 'user', new.friend_id, new.friend_id);
    end if;
    return null;
end $$;
create trigger friends_tell after insert or update or delete on friends for each row execute function friends_tell();

create function messages_tell() returns trigger language plpgsql as $$
begin
    perform tell_member(new.recipient_id, 'message', 'user', new.sender_id, new.sender_id);
    return null;
end $$;
create trigger messages_tell after insert on messages for each row execute function messages_tell();

-- Who has read all messages of a member, or removed them unread, needs no word of them.
create function messages_told() returns trigger language plpgsql as $$
begin
    update notifications n set read_at = now()
    from (select distinct c.recipient_id, c.sender_id from changed c join former f using (id)
          where (c.read_at is not null and f.read_at is null) or (c.recipient_deleted and not f.recipient_deleted)) r
    where n.user_id = r.recipient_id and n.kind = 'message' and n.section = 'user' and n.object_id = r.sender_id
      and n.read_at is null
      and not exists (select from messages m where m.recipient_id = r.recipient_id and m.sender_id = r.sender_id
                      and m.read_at is null and not m.recipient_deleted);
    return null;
end $$;
create trigger messages_told after update on messages referencing old table as former new table as changed
    for each statement execute function messages_told();

create function uploads_tell() returns trigger language plpgsql as $$
begin
    perform tell_member(new.user_id, 'upload_failed', 'upload', new.id, null);
    return null;
end $$;
create trigger uploads_tell after update of state on uploads for each row
    when (new.state = 'failed' and old.state <> 'failed') execute function uploads_tell();

-- What was waiting (2) or being made (3) is shown (1) or refused (4). What reports had hidden was shown before.
create function decided_tell() returns trigger language plpgsql as $$
begin
    if new.status_id = 1 and exists (select from report_hides where section = tg_argv[0] and object_id = new.id) then
        return null;
    end if;
    perform tell_member(new.user_id, case new.status_id when 1 then 'upload_published' else 'upload_refused' end,
        tg_argv[0], new.id, null);
    return null;
end $$;
create trigger videos_tell after update of status_id on videos for each row
    when (old.status_id in (2, 3) and new.status_id in (1, 4)) execute function decided_tell('video');
create trigger albums_tell after update of status_id on albums for each row
    when (old.status_id in (2, 3) and new.status_id in (1, 4)) execute function decided_tell('album');

-- What others did as well stays, and names nobody.
create function blocks_untell() returns trigger language plpgsql as $$
begin
    delete from notifications where user_id = new.user_id and actor_id = new.blocked_id and not is_shared;
    update notifications set actor_id = null where user_id = new.user_id and actor_id = new.blocked_id;
    return null;
end $$;
create trigger blocks_untell after insert on blocks for each row execute function blocks_untell();

-- What a member is shown of it: nothing of closed accounts alone, nothing that leads to what is not there.
create view shown_notifications as
select n.id, n.user_id, n.kind, n.section, n.object_id, u.id as actor_id, u.username, u.avatar_key, n.times, n.happened_at, n.read_at
from notifications n left join users u on u.id = n.actor_id and u.status_id <> 5
where n.removed_at is null
  and (u.id is not null or n.kind like 'upload%' or n.is_shared)
  and case when n.section = 'upload' then exists (select from uploads where id = n.object_id)
           else visible_to(n.section, n.object_id, n.user_id) end;
