-- What was said, voted and hidden about a playlist or a member goes with it, whoever deletes it: no foreign key follows
-- (section, object_id). Videos and albums are never deleted, they get a status.
create index comments_object_deleted on comments (section, object_id) where deleted_at is not null;

create function objects_forget() returns trigger language plpgsql as $$
begin
    -- A statement that found nothing comes here, too, such as the sweep of every minute.
    if not exists (select from gone) then
        return null;
    end if;
    -- Comments and votes twice, for their two indexes each.
    delete from comments c using gone
    where c.section = tg_argv[0] and c.object_id = gone.id and c.deleted_at is null;
    delete from comments c using gone
    where c.section = tg_argv[0] and c.object_id = gone.id and c.deleted_at is not null;
    delete from votes v using gone
    where v.section = tg_argv[0] and v.object_id = gone.id and v.user_id is not null;
    delete from votes v using gone
    where v.section = tg_argv[0] and v.object_id = gone.id and v.guest_key is not null;
    delete from subscriptions s using gone where s.section = tg_argv[0] and s.object_id = gone.id;
    delete from report_hides h using gone where h.section = tg_argv[0] and h.object_id = gone.id;
    return null;
end $$;
create trigger playlists_forget after delete on playlists
    referencing old table as gone for each statement execute function objects_forget('playlist');
create trigger users_forget after delete on users
    referencing old table as gone for each statement execute function objects_forget('user');

-- What was left behind before.
delete from comments c where c.section = 'playlist' and not exists (select from playlists p where p.id = c.object_id);
delete from votes v where v.section = 'playlist' and not exists (select from playlists p where p.id = v.object_id);
delete from comments c where c.section = 'user' and not exists (select from users u where u.id = c.object_id);
delete from votes v where v.section = 'user' and not exists (select from users u where u.id = v.object_id);
