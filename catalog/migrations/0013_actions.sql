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
