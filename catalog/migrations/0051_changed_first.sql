-- What changed itself is claimed before what shows something that changed: a category that is renamed writes a row for each of its
-- videos, hundreds of thousands of them, and whoever edits one title meanwhile would wait for all.
alter table outbox add column derived boolean not null default false;
comment on column outbox.derived is 'Whether the object is as it was and shows something that changed: a name of its category, model or channel.';
drop index outbox_waiting;
create index outbox_waiting on outbox (consumer_id, derived, id) where parked is null;

create view outbox_derived_for_all as select distinct entity, entity_id from outbox where derived;
create rule outbox_derived_for_all_insert as on insert to outbox_derived_for_all do instead
    insert into outbox (consumer_id, entity, entity_id, derived)
    select c.id, new.entity, new.entity_id, true from outbox_consumers c;

do $$
declare f record;
begin
    for f in select pg_get_functiondef(oid) as definition from pg_proc
             where pronamespace = current_schema()::regnamespace
               and proname in ('outbox_mark_category_objects', 'models_outbox_objects', 'channels_outbox_videos')
    loop
        execute replace(f.definition, 'insert into outbox_for_all (entity', 'insert into outbox_derived_for_all (entity');
    end loop;
end $$;
