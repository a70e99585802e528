-- What caches outside (a CDN) are still to be told: one row per tag and change, in no order. Rows are only added and removed, never
-- merged, so that two transactions that name one tag don't wait for each other.
create table purges (
    id bigint generated always as identity primary key,
    -- As in the header Cache-Tag: a kind of object with its id, or a word for many answers.
    tag text not null,
    created_at timestamptz not null default clock_timestamp(),
    run_at timestamptz not null default clock_timestamp(),
    claimed_until timestamptz,
    attempts integer not null default 0,
    last_error text,
    constraint purges_tag_format check (tag ~ '^[a-z]+(-[0-9]+)?$')
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index purges_due on purges (run_at, id);

-- Whether anybody is to be told (purge.url of the configuration), for those who write without knowing the configuration: triggers and
-- people in psql. One row.
create table purge_switch (
    is_only boolean primary key default true,
    is_on boolean not null default false,
    constraint purge_switch_one_row check (is_only)
);
insert into purge_switch default values;

create function purges_add(tags text[]) returns void language sql as $$
    insert into purges (tag) select distinct t from unnest(tags) t where (select is_on from purge_switch)
$$;
