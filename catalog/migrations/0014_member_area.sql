-- What a member keeps for themselves: whom they block, whether their history rests, and what their lists ask of the rest.

-- Who must not reach whom. The rule is a trigger, as the outbox is, so that no way to write can forget it.
create table blocks (
    user_id bigint not null references users on delete cascade,
    blocked_id bigint not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (user_id, blocked_id),
    constraint blocks_not_self check (user_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- A block ends the friendship, whoever asked for it, accepted or not.
create function blocks_end_friendship() returns trigger language plpgsql as $$
begin
    delete from friends
    where (user_id, friend_id) in ((new.user_id, new.blocked_id), (new.blocked_id, new.user_id));
    return null;
end $$;
create trigger blocks_end_friendship after insert on blocks for each row execute function blocks_end_friendship();

-- Whose object it is; NULL for models, which nobody owns, and for uploads of closed accounts.
create function owner_of(section text, object_id bigint) returns bigint language sql stable as $$
    select case section
        when 'video' then (select user_id from videos where id = object_id)
        when 'album' then (select user_id from albums where id = object_id)
        when 'playlist' then (select user_id from playlists where id = object_id)
        when 'user' then object_id
    end
$$;

create function blocks_refuse(reached bigint, who bigint) returns void language plpgsql as $$
begin
    if exists (select from blocks where user_id = reached and blocked_id = who) then
        raise exception 'member % is blocked by member %', who, reached using
            errcode = 'check_violation', constraint = 'blocks_refused', table = 'blocks';
    end if;
end $$;

create function messages_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(new.recipient_id, new.sender_id);
    return new;
end $$;
create trigger messages_refuse_blocked before insert on messages
    for each row execute function messages_refuse_blocked();

create function friends_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(new.friend_id, new.user_id);
    -- Nor does one befriend whom one blocks.
    perform blocks_refuse(new.user_id, new.friend_id);
    return new;
end $$;
create trigger friends_refuse_blocked before insert on friends
    for each row execute function friends_refuse_blocked();

create function walls_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(new.user_id, new.author_id);
    return new;
end $$;
create trigger walls_refuse_blocked before insert on walls for each row execute function walls_refuse_blocked();

create function comments_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(owner_of(new.section, new.object_id), new.user_id);
    return new;
end $$;
create trigger comments_refuse_blocked before insert on comments
    for each row execute function comments_refuse_blocked();

-- Whose history rests. Apart from users, whose every change the index reads again.
create table history_pauses (
    user_id bigint primary key references users on delete cascade,
    paused_at timestamptz not null default now()
);

-- A conversation is read partner by partner, unread ones are counted on every page.
create index messages_inbox_partner on messages (recipient_id, sender_id, id desc) where not recipient_deleted;
create index messages_sent_partner on messages (sender_id, recipient_id, id desc) where not sender_deleted;
create index messages_unread on messages (recipient_id, sender_id) where read_at is null and not recipient_deleted;
drop index messages_inbox;
drop index messages_sent;

-- Each side deletes its own view; two who delete at once each see the other's mark here, because an update re-reads the row.
create function messages_drop() returns trigger language plpgsql as $$
begin
    delete from messages where id = new.id;
    return null;
end $$;
create trigger messages_drop after update on messages for each row
    when (new.sender_deleted and new.recipient_deleted) execute function messages_drop();

create index favourites_recent on favourites (user_id, added_at desc);
create index watch_later_recent on watch_later (user_id, added_at desc);

-- What a video goes back to when its owner takes the deletion back. NULL unless its owner deleted it, so that nobody undoes
-- what moderation decided and nothing gets past moderation by being deleted and re-added.
alter table videos add column restore_status_id smallint
    constraint videos_restore_status_known check (restore_status_id between 1 and 4);
