-- A member may send a picture for a video whose film is here. It stands for the video; the film's own frames stay beside it.
alter table videos drop constraint videos_one_picture;

-- What cards show a video by: the folder of its film, the key of its picture, or both with a plus between.
create function shown_pictures(media_key text, picture_key text) returns text immutable language sql as $$
    select nullif(concat_ws('+', media_key, picture_key), '')
$$;

-- Another picture of the same film is something else that was shown.
drop trigger videos_media_update on videos;
drop trigger videos_media_delete on videos;
create trigger videos_media_update after update on videos referencing old table as before new table as after
    for each statement execute function media_removed('video', 'id', 'case when visible then shown_pictures(media_key, picture_key) end');
create trigger videos_media_delete after delete on videos referencing old table as before
    for each statement execute function media_removed('video', 'id', 'case when visible then shown_pictures(media_key, picture_key) end');

-- While reports of the video wait, a picture that its member replaces stays for who decides on them; the sweep removes it after that.
create or replace function picture_removed() returns trigger language plpgsql as $$
begin
    if is_held('video', old.id) then
        update media_prints set held_at = coalesce(held_at, now())
        where section = 'video' and object_id = old.id and part = old.picture_key;
    else
        insert into film_removals (media_key, sg_id) values (old.picture_key, 0);
    end if;
    return null;
end $$;
