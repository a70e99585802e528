-- Who saw what in the last half hour, so that a view counts once per viewer and object whichever node it reaches and
-- however often the site restarts. A viewer is a keyed hash; rows past the window are removed, so the table stays as
-- large as the views of one window.
create table recent_views (
    section text not null,
    object_id bigint not null,
    viewer bytea not null,
    -- Of the view that was counted; a repetition doesn't move it.
    viewed_at timestamptz not null,
    primary key (section, object_id, viewer),
    constraint recent_views_section_known check (section in ('video', 'album', 'model', 'playlist', 'user', 'channel'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
create index recent_views_age on recent_views (viewed_at);

-- Views are added in batches that touch many counters. Batches take turns under this lock, and the ageing of the windows
-- takes a turn too: neither can wait for rows the other holds, and no view falls between a sum and its writing.
create function views_turn() returns void language sql as $$
    select pg_advisory_xact_lock(7306);
$$;

alter function roll_view_windows(date) rename to roll_view_windows_in_turn;
create function roll_view_windows(today date) returns bigint language plpgsql as $$
begin
    perform views_turn();
    return roll_view_windows_in_turn(today);
end $$;

-- A comment is news for everybody who reads the page, not only for its author (0009 left that to the counters' interval).
create trigger comments_outbox_insert after insert on comments referencing new table as changed
    for each statement execute function comments_outbox();
create trigger walls_outbox_insert after insert on walls referencing new table as changed
    for each statement execute function outbox_mark('user', 'user_id');
create trigger subscriptions_outbox_insert after insert on subscriptions referencing new table as changed
    for each statement execute function outbox_mark('user', 'user_id');

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
