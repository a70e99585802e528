-- Pictures of videos whose film isn't here: lines of other systems bring them, and they go as a film's files do.
alter table videos
    -- Key of its picture; one with a film has those that were taken of it.
    add column picture_key text,
    add constraint videos_one_picture check (media_key is null or picture_key is null);
-- SHA-256 of what the line names as the picture its video has: another one is brought, and one that couldn't be is tried again.
alter table imports
    add column picture_digest bytea,
    add constraint imports_picture_digest_length check (octet_length(picture_digest) = 32);

-- Who shows a picture, and whose is to be removed.
create index videos_picture on videos (picture_key) where picture_key is not null;
create index videos_picture_deleted on videos (deleted_at) where deleted_at is not null and picture_key is not null;

-- What was shown and is no more is told at the commit, pictures too.
drop trigger videos_media_update on videos;
drop trigger videos_media_delete on videos;
create trigger videos_media_update after update on videos referencing old table as before new table as after
    for each statement execute function media_removed('video', 'id', 'case when visible then coalesce(media_key, picture_key) end');
create trigger videos_media_delete after delete on videos referencing old table as before
    for each statement execute function media_removed('video', 'id', 'case when visible then coalesce(media_key, picture_key) end');

-- A picture lies in the media folder, which is group 0.
create or replace function film_removed() returns trigger language plpgsql as $$
begin
    insert into film_removals (media_key, sg_id) select distinct media_key, sg_id from before where media_key like 'films/%';
    insert into film_removals (media_key, sg_id) select picture_key, 0 from before where picture_key is not null;
    return null;
end $$;
create function picture_removed() returns trigger language plpgsql as $$
begin
    insert into film_removals (media_key, sg_id) values (old.picture_key, 0);
    return null;
end $$;
create trigger videos_picture_update after update of picture_key on videos for each row
    when (old.picture_key is not null and old.picture_key is distinct from new.picture_key) execute function picture_removed();
