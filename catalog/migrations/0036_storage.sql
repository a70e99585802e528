-- Films in storage groups: their files go when their video does, wherever they are, and what is to go is known until it is gone.
alter table videos
    -- When it was deleted: its files stay for a while. Long ago, where they are to go at once.
    add column deleted_at timestamptz;

create function videos_deleted() returns trigger language plpgsql as $$
begin
    new.deleted_at = case when new.status_id = 5 then coalesce(new.deleted_at, now()) end;
    return new;
end $$;
create trigger videos_deleted before update of status_id on videos for each row
    when ((old.status_id = 5) is distinct from (new.status_id = 5)) execute function videos_deleted();
create trigger videos_deleted_insert before insert on videos for each row
    when (new.status_id = 5) execute function videos_deleted();
update videos set deleted_at = now() where status_id = 5;
-- Demo clips are no uploads: many videos share them.
create index videos_deleted on videos (deleted_at) where deleted_at is not null and media_key like 'films/%';

-- Folders of films that no video needs there any more.
create table film_removals (
    id bigint generated always as identity primary key,
    media_key text not null,
    sg_id integer not null,
    due_at timestamptz not null default now()
);
create index film_removals_due on film_removals (due_at);

-- A row that is removed by SQL leaves its files behind.
create function film_removed() returns trigger language plpgsql as $$
begin
    insert into film_removals (media_key, sg_id) select distinct media_key, sg_id from before where media_key like 'films/%';
    return null;
end $$;
create trigger videos_film_delete after delete on videos referencing old table as before
    for each statement execute function film_removed();
