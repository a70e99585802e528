-- Purges of shared caches and removals of files become jobs, so that everything queued is claimed, retried and counted in one way.
-- A block, because psql doesn't run migrations in one transaction.
do $$ begin lock table jobs, film_removals, purges in access exclusive mode; end $$;

-- A node of the previous version may hold ids of the old tables. They must not match any job.
select setval('jobs_id_seq', max(last_value), bool_or(is_called)) from (
    select last_value, is_called from jobs_id_seq
    union all select last_value, is_called from film_removals_id_seq
    union all select last_value, is_called from purges_id_seq
) s;

insert into jobs (kind, payload, state, attempts, run_at, claimed_until, last_error, created_at)
select 'purge', jsonb_build_object('tag', tag), case when claimed_until is null then 'queued' else 'running' end, attempts, run_at,
    claimed_until, last_error, created_at
from purges order by id;
insert into jobs (kind, payload, run_at)
select 'film_removal', jsonb_strip_nulls(jsonb_build_object('key', media_key, 'group', sg_id, 'begun_at', begun_at)), due_at
from film_removals order by id;
drop table purges, film_removals;

alter table jobs
    -- Rows are enqueued and deleted many times a second.
    set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000),
    add constraint jobs_purge_tag_format check (kind <> 'purge' or coalesce(payload->>'tag' ~ '^[a-z]+(-[0-9]+)?$', false));
-- Every claim names its kind.
drop index jobs_due;
create index jobs_failed on jobs (kind) where state = 'failed';
create index jobs_removals on jobs ((payload->>'key')) where kind = 'film_removal';

create or replace function purges_add(tags text[]) returns void language sql as $$
    insert into jobs (kind, payload)
    select 'purge', jsonb_build_object('tag', t) from (select distinct t from unnest(tags) t) as tags where (select is_on from purge_switch)
$$;

create function removals_add(key text, place integer, due timestamptz default now()) returns void language sql as $$
    insert into jobs (kind, payload, run_at) values ('film_removal', jsonb_build_object('key', key, 'group', place), due)
$$;
create or replace function film_removed() returns trigger language plpgsql as $$
begin
    perform removals_add(media_key, sg_id) from (select distinct media_key, sg_id from before where media_key like 'films/%') films;
    perform removals_add(picture_key, 0) from before where picture_key is not null;
    return null;
end $$;
create or replace function picture_removed() returns trigger language plpgsql as $$
begin
    if is_held('video', old.id) then
        update media_prints set held_at = coalesce(held_at, now())
        where section = 'video' and object_id = old.id and part = old.picture_key;
    else
        perform removals_add(old.picture_key, 0);
    end if;
    return null;
end $$;
create or replace function film_named() returns trigger language plpgsql as $$
declare
    named text := coalesce(new.media_key, new.picture_key);
    -- Pictures are in the media folder, which is group 0.
    place integer := case when new.media_key is null then 0 else new.sg_id end;
begin
    perform lock_film(named);
    delete from jobs where kind = 'film_removal' and payload->>'key' = named and (payload->>'group')::integer = place
        and not payload ? 'begun_at';
    if exists (select from jobs where kind = 'film_removal' and payload->>'key' = named and (payload->>'group')::integer = place) then
        raise exception 'files of % are being removed from storage group %', named, place using errcode = 'object_in_use';
    end if;
    return new;
end $$;

-- For nodes of the previous version, which may run until all nodes are upgraded. A later version drops both views.
create view purges as
    select id, payload->>'tag' as tag, created_at, run_at, claimed_until, attempts, last_error from jobs where kind = 'purge';
create view film_removals as
    select id, payload->>'key' as media_key, (payload->>'group')::integer as sg_id, coalesce(claimed_until, run_at) as due_at,
        (payload->>'begun_at')::timestamptz as begun_at
    from jobs where kind = 'film_removal';
create function film_removals_write() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        perform removals_add(new.media_key, new.sg_id, coalesce(new.due_at, now()));
    else
        update jobs set run_at = new.due_at, claimed_until = null, state = 'queued',
            payload = jsonb_strip_nulls(payload || jsonb_build_object('begun_at', new.begun_at))
        where id = old.id;
    end if;
    return new;
end $$;
create trigger film_removals_write instead of insert or update on film_removals for each row execute function film_removals_write();
