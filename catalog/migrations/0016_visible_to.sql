-- Whether an object is there for a member (NULL is a guest), the one rule of everything members do: public ones for
-- everybody, private and unfinished ones for who made them, nothing that was deleted, no playlist or page of somebody banned.
create function visible_to(section text, object_id bigint, member_id bigint) returns boolean language sql stable as $$
    select case section
        when 'video' then exists (select from videos where id = object_id and (visible or user_id = member_id and status_id <> 5))
        when 'album' then exists (select from albums where id = object_id and (visible or user_id = member_id and status_id <> 5))
        when 'model' then exists (select from models where id = object_id)
        when 'channel' then exists (select from channels where id = object_id)
        when 'playlist' then exists (select from playlists p join users u on u.id = p.user_id
            where p.id = object_id and u.status_id <> 5 and (p.visibility = 'public' or p.user_id = member_id))
        when 'user' then exists (select from users where id = object_id and status_id <> 5 and email_confirmed_at is not null)
        else false end
$$;
