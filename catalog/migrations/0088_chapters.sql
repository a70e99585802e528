-- Chapters that the owner wrote or that the uploaded file contained: one `m:ss Title` per line. Without any, those in the
-- description count (ADR 101).
alter table videos add column chapters text not null default '',
    add constraint videos_chapters_length check (length(chapters) <= 20000);

-- Chapters are part of what a reported video said.
create or replace function said_by(said_section text, said_id bigint) returns text language sql stable as $$
    select case said_section
        when 'video' then (select concat_ws(E'\n', title, nullif(description, ''), nullif(chapters, '')) from videos where id = said_id)
        when 'album' then (select concat_ws(E'\n', title, nullif(description, '')) from albums where id = said_id)
        when 'playlist' then (select concat_ws(E'\n', title, description) from playlists where id = said_id)
        when 'comment' then (select body from comments where id = said_id)
        when 'wall' then (select body from walls where id = said_id)
        when 'message' then (select body from messages where id = said_id)
        when 'user' then (select concat_ws(E'\n', u.username, p.about, p.interests, p.occupation, p.education, p.city, p.website)
                          from users u left join profiles p on p.user_id = u.id where u.id = said_id)
        end
$$;
