-- Every index that follows this catalog is a consumer with rows of its own: one row of the outbox served only the first of
-- two indexes that came for it, and the other stayed wrong for good.

create table outbox_consumers (
    id integer generated always as identity primary key,
    -- Kept beside the indexes themselves, so that lost indexes are another consumer.
    name text not null unique,
    -- Settings and document shape its live indexes were built with. NULL until a rebuild ended: registering begins with one.
    built text,
    registered_at timestamptz not null default clock_timestamp(),
    -- When its writer last said that it lives.
    heard_at timestamptz not null default clock_timestamp(),
    -- Number of its writer. Whoever holds a smaller one was taken over from and writes no more.
    epoch bigint not null default 0,
    -- Until when nobody may take over.
    writer_until timestamptz not null default '-infinity'
);

-- Whoever registers reads everything, so what waits now is of no use.
truncate outbox, counter_marks;

-- No foreign key: each transaction that writes the catalog would lock the consumer's row, and all of them share it. Rows of a
-- consumer that is dropped go with it; one that a transaction still open then leaves behind is swept.
alter table outbox add column consumer_id integer not null;
drop index outbox_waiting;
drop index outbox_parked;
create index outbox_waiting on outbox (consumer_id, id) where parked is null;
create index outbox_parked on outbox (consumer_id, id) where parked is not null;
-- Few at a time: what a claim must not take a second time.
create index outbox_claimed on outbox (consumer_id, entity, entity_id) where claimed_until is not null;

-- What triggers insert here is a row for each consumer, still as one statement whatever its size (a trigger INSTEAD OF would
-- run once per row).
create view outbox_for_all as select distinct entity, entity_id from outbox;
create rule outbox_for_all_insert as on insert to outbox_for_all do instead
    insert into outbox (consumer_id, entity, entity_id)
    select c.id, new.entity, new.entity_id from outbox_consumers c;

do $$
declare f record;
begin
    for f in select pg_get_functiondef(oid) as definition from pg_proc
             where pronamespace = current_schema()::regnamespace and prokind = 'f'
               and prosrc like '%insert into outbox (entity, entity_id)%'
    loop
        execute replace(f.definition, 'insert into outbox (entity', 'insert into outbox_for_all (entity');
    end loop;
end $$;

alter table counter_marks drop constraint counter_marks_pkey, add column consumer_id integer not null;
alter table counter_marks add primary key (consumer_id, entity, entity_id);

-- Ordered, so that two transactions marking the same objects queue instead of deadlocking.
create or replace function stats_mark() returns trigger language plpgsql as $$
begin
    execute format(
        'insert into counter_marks (consumer_id, entity, entity_id)
         select c.id, %L, %I from changed cross join outbox_consumers c order by 1, 3
         on conflict (consumer_id, entity, entity_id) do update set marked_at = clock_timestamp()',
        tg_argv[0], tg_argv[0] || '_id');
    return null;
end $$;

-- A statement takes its snapshot after its lock on the outbox, so a consumer that waits for whoever holds that lock when it has
-- registered misses nothing. A transaction that keeps one snapshot is the exception: if it is older than a registration, it
-- is refused (40001, as any other serialization failure), because that consumer would never hear of its change.
create table outbox_registrations (
    single boolean primary key default true check (single),
    registered bigint not null default 0
);
insert into outbox_registrations default values;

create function outbox_refuse_old_snapshots() returns trigger language plpgsql as $$
begin
    perform from outbox_registrations for share;
    return null;
end $$;
create trigger outbox_refuse_old_snapshots before insert on outbox for each statement
    when (current_setting('transaction_isolation') <> 'read committed')
    execute function outbox_refuse_old_snapshots();
