-- What a member wants in no list: categories, models and members, and whether what they watched.
create table mutes (
    user_id bigint not null references users on delete cascade,
    section text not null,
    object_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (user_id, section, object_id),
    constraint mutes_section_known check (section in ('category', 'model', 'user')),
    constraint mutes_not_self check (not (section = 'user' and object_id = user_id))
);
create index mutes_object on mutes (section, object_id);

-- Whoever is here sees nothing in lists that is in their history.
create table watched_mutes (
    user_id bigint primary key references users on delete cascade
);

-- As before, and mutes.
create or replace function objects_forget() returns trigger language plpgsql as $$
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
    delete from mutes m using gone where m.section = tg_argv[0] and m.object_id = gone.id;
    return null;
end $$;
create trigger categories_forget after delete on categories
    referencing old table as gone for each statement execute function objects_forget('category');
