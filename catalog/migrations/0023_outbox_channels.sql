-- The page of a video shows its channel's name, address and banner.
create function channels_outbox_videos() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id)
    select 'video', v.id
    from after a join before b using (id) join videos v on v.channel_id = a.id
    where to_jsonb(a) is distinct from to_jsonb(b);
    return null;
end $$;
create trigger channels_outbox_videos after update on channels
    referencing old table as before new table as after
    for each statement execute function channels_outbox_videos();
