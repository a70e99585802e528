-- Storage groups of uploaded pictures that are not in the media folder. A row exists before the first file does and until the last one is
-- removed. Pictures without a row are in the media folder.
create table picture_groups (
    key text primary key check (key ~ '^(members|albums|videos)/'),
    sg_id integer not null check (sg_id > 0)
);

create function picture_group(picture text) returns integer stable language sql as $$
    select coalesce((select sg_id from picture_groups where key = picture), 0)
$$;

-- Whether anything shows, reviews or holds the picture. Otherwise, its files may go.
create function picture_is_named(picture text) returns boolean stable language sql as $$
    select exists (select from users where avatar_key = picture) or exists (select from users where cover_key = picture)
        or exists (select from profile_reviews where media_key = picture)
        or exists (select from photos where media_key = picture)
        or exists (select from videos where picture_key = picture)
        or exists (select from media_prints where part = picture and held_at is not null)
$$;

-- All uploaded pictures that are named, with their groups. Other pictures, such as those of the demo, are part of the site.
create function named_pictures() returns table (key text, sg_id integer) stable language sql as $$
    select n.key, coalesce(g.sg_id, 0) from (
        select avatar_key from users union select cover_key from users union select media_key from profile_reviews
        union select media_key from photos union select picture_key from videos
        union select part from media_prints where held_at is not null
    ) n (key) left join picture_groups g using (key)
    where n.key ~ '^(members|albums|videos)/'
$$;

-- Schedules the removal of a picture that a column no longer names. The removal checks again whether anything else names it.
create function picture_unnamed() returns trigger language plpgsql as $$
declare
    former text := to_jsonb(old) ->> tg_argv[0];
begin
    if former is distinct from to_jsonb(new) ->> tg_argv[0] then
        perform removals_add(key, sg_id) from picture_groups where key = former;
    end if;
    return null;
end $$;
create trigger users_avatar_unnamed after update of avatar_key or delete on users
    for each row execute function picture_unnamed('avatar_key');
create trigger users_cover_unnamed after update of cover_key or delete on users
    for each row execute function picture_unnamed('cover_key');
create trigger profile_reviews_picture_unnamed after update of media_key or delete on profile_reviews
    for each row execute function picture_unnamed('media_key');
create trigger photos_picture_unnamed after update of media_key or delete on photos
    for each row execute function picture_unnamed('media_key');

-- The same for a picture that is no longer held for a decision.
create function picture_released() returns trigger language plpgsql as $$
begin
    perform removals_add(key, sg_id) from picture_groups where key = old.part;
    return null;
end $$;
create trigger media_prints_released_update after update of held_at on media_prints for each row
    when (old.held_at is not null and new.held_at is null) execute function picture_released();
create trigger media_prints_released_delete after delete on media_prints for each row
    when (old.held_at is not null) execute function picture_released();

-- Posters of videos, which were always in group 0.
create or replace function film_removed() returns trigger language plpgsql as $$
begin
    perform removals_add(media_key, sg_id) from (select distinct media_key, sg_id from before where media_key like 'films/%') films;
    perform removals_add(picture_key, picture_group(picture_key)) from before where picture_key is not null;
    return null;
end $$;
create or replace function picture_removed() returns trigger language plpgsql as $$
begin
    if is_held('video', old.id) then
        update media_prints set held_at = coalesce(held_at, now())
        where section = 'video' and object_id = old.id and part = old.picture_key;
    else
        perform removals_add(old.picture_key, picture_group(old.picture_key));
    end if;
    return null;
end $$;
create or replace function film_named() returns trigger language plpgsql as $$
begin
    perform name_files(coalesce(new.media_key, new.picture_key),
        case when new.media_key is null then picture_group(new.picture_key) else new.sg_id end);
    return new;
end $$;

-- Moves of pictures, by picture.
create index jobs_picture_moves on jobs ((payload->>'key')) where kind = 'picture_move';

-- Where the bytes of an upload are: in one file on the node that received them (group 0), or in pieces in a store that all nodes reach.
alter table uploads add column sg_id integer not null default 0;
create table upload_pieces (
    upload_id bigint not null references uploads on delete cascade,
    first_byte bigint not null check (first_byte >= 0),
    bytes bigint not null check (bytes > 0),
    -- File of the piece in the upload's folder.
    file text not null,
    sha256 bytea not null check (length(sha256) = 32),
    primary key (upload_id, first_byte)
);

create function upload_is_needed(u uploads) returns boolean immutable language sql as $$
    select u.state in ('receiving', 'received', 'processing') or u.is_kept
$$;
-- Schedules the removal of an upload's pieces once nothing can become of them any more.
create function upload_ended() returns trigger language plpgsql as $$
begin
    if upload_is_needed(old) and (tg_op = 'DELETE' or not upload_is_needed(new)) then
        perform removals_add('uploads/' || old.token, old.sg_id);
        delete from upload_pieces where upload_id = old.id;
    end if;
    return null;
end $$;
create trigger uploads_ended after update of state, is_kept or delete on uploads for each row
    when (old.sg_id <> 0) execute function upload_ended();
