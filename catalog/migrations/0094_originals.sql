-- Originals: the files that members uploaded, kept so that their films can be encoded anew (ADR 108). An original belongs to the video
-- that has its film, and nothing serves it.
create table originals (
    -- Folder with the one file.
    media_key text primary key check (media_key ~ '^originals/[0-9a-f]{2}/[0-9a-f]{32}$'),
    -- Checked at the end of a statement, because two videos swap their films in one.
    video_id bigint not null unique deferrable references videos on delete cascade,
    sg_id integer not null default 0,
    size_bytes bigint not null check (size_bytes > 0),
    sha256 bytea not null check (length(sha256) = 32),
    -- Whether it is removed once its video is approved.
    until_approved boolean not null
);

-- Whatever names files keeps them: a removal that has not begun is cancelled, one that has begun refuses the name.
create function name_files(named text, place integer) returns void language plpgsql as $$
begin
    perform lock_film(named);
    delete from jobs where kind = 'film_removal' and payload->>'key' = named and (payload->>'group')::integer = place
        and not payload ? 'begun_at';
    if exists (select from jobs where kind = 'film_removal' and payload->>'key' = named and (payload->>'group')::integer = place) then
        raise exception 'files of % are being removed from storage group %', named, place using errcode = 'object_in_use';
    end if;
end $$;
create or replace function film_named() returns trigger language plpgsql as $$
begin
    -- Pictures are in the media folder, which is group 0.
    perform name_files(coalesce(new.media_key, new.picture_key), case when new.media_key is null then 0 else new.sg_id end);
    return new;
end $$;
create function original_named() returns trigger language plpgsql as $$
begin
    perform name_files(new.media_key, new.sg_id);
    return new;
end $$;
create trigger originals_named before insert or update of media_key, sg_id on originals
    for each row execute function original_named();

-- However an original's row goes, its file goes with it.
create function original_removed() returns trigger language plpgsql as $$
begin
    perform removals_add(old.media_key, old.sg_id);
    return null;
end $$;
create trigger originals_removed after delete on originals for each row execute function original_removed();

-- An original goes with its film, and with the account of its member: it contains what their camera recorded.
create function originals_end() returns trigger language plpgsql as $$
begin
    delete from originals where video_id = new.id;
    return null;
end $$;
create trigger videos_originals_end after update of media_key, user_id on videos for each row
    when ((old.media_key is not null and new.media_key is null) or (old.user_id is not null and new.user_id is null))
    execute function originals_end();

-- 1 is published, 6 is scheduled.
create function originals_approved() returns trigger language plpgsql as $$
begin
    delete from originals where video_id = new.id and until_approved;
    return null;
end $$;
create trigger videos_originals_approved after update of status_id on videos for each row
    when (new.status_id in (1, 6) and old.status_id not in (1, 6)) execute function originals_approved();
