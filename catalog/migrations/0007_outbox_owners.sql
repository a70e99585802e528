-- A playlist is public only while its owner's account is active, and its document names the owner: both
-- change with the user's row, which the triggers of 0006 turn into 'user' alone.

create function users_outbox_playlists() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id)
    select 'playlist', p.id
    from after a join before b using (id) join playlists p on p.user_id = a.id
    where (a.status_id, a.username) is distinct from (b.status_id, b.username);
    return null;
end $$;
create trigger users_outbox_playlists after update on users
    referencing old table as before new table as after
    for each statement execute function users_outbox_playlists();
