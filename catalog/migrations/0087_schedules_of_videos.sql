-- Scheduled publication. A video that is approved before its time waits with a status of its own, which every check for published()
-- excludes. A trigger chooses between the two statuses by the clock of Postgres, so that no write path and no node can publish early.
alter table videos
    add column publish_at timestamptz,
    drop constraint videos_status_known,
    add constraint videos_status_known check (status_id between 1 and 6),
    drop constraint videos_restore_status_known,
    add constraint videos_restore_status_known check (restore_status_id between 1 and 6 and restore_status_id <> 5);
comment on column videos.publish_at is
    'When its member wants it to be published; NULL for as soon as it is approved. A time that has come is removed.';
comment on column videos.status_id is
    '1 published, 2 in review, 3 draft (its member has yet to choose a screenshot, or an import its film), 4 rejected, 5 deleted, '
    '6 scheduled (approved, and waiting for publish_at)';
create index videos_publish_at on videos (publish_at) where status_id = 6::smallint;

create function scheduled() returns smallint language sql immutable parallel safe return 6::smallint;

create function videos_schedule() returns trigger language plpgsql as $$
begin
    -- A time does not withdraw what others have seen.
    if new.publish_at <= now() or old.status_id = published() then
        new.publish_at := null;
    end if;
    if new.status_id in (published(), scheduled()) then
        new.status_id := case when new.publish_at is null then published() else scheduled() end;
    end if;
    if old.publish_at is not null and new.status_id = published() then
        new.post_date := now();
    end if;
    return new;
end $$;
create trigger videos_schedule before insert or update on videos for each row
    when (new.publish_at is not null or new.status_id = 6) execute function videos_schedule();

create function videos_published() returns trigger language plpgsql as $$
begin
    update uploads set published_at = now() where video_id = new.id and published_at is null;
    -- Cached lists and sitemaps that lack the video are made again, because its moment was promised. Id 0 stands for all lists.
    insert into outbox_for_all (entity, entity_id) values ('video', 0);
    insert into sitemap_stale (section, object_id) values ('video', new.id) on conflict do nothing;
    return null;
end $$;
create trigger videos_published after update on videos for each row
    when (old.publish_at is not null and new.status_id = 1) execute function videos_published();

-- Members are told of the moment. Not only a statement that sets the status can bring it about: the trigger above changes the status,
-- too.
drop trigger videos_tell on videos;
create trigger videos_tell after update on videos for each row
    when (old.status_id in (2, 3, 6) and new.status_id in (1, 4)) execute function decided_tell('video');

drop trigger videos_outbox_update on videos;
create trigger videos_outbox_update after update on videos referencing old table as before new table as after
    for each statement execute function outbox_mark_update('readd_at,publish_at,created_at', 'video', 'id');
