-- Whether files of a film may go is decided for each film alone, under its lock, and recorded before the first file goes.
alter table film_removals
    -- When its files began to go. Until the row is gone, no video may name them there and no move may put them there.
    add column begun_at timestamptz;
create index film_removals_key on film_removals (media_key);

-- Moves under way to a group, by film.
create index jobs_moves on jobs ((payload->>'key')) where kind = 'film_move' and state = 'running';

-- Until the end of the transaction, who may name, move or remove the files of this key is decided by it alone.
create function lock_film(key text) returns void language sql as $$
    select pg_advisory_xact_lock(hashtextextended('film ' || key, 0));
$$;

-- Whatever names files keeps them: a removal that has not begun is cancelled, one that has begun refuses the name.
create function film_named() returns trigger language plpgsql as $$
declare
    named text := coalesce(new.media_key, new.picture_key);
    -- Pictures lie in the media folder, which is group 0.
    place integer := case when new.media_key is null then 0 else new.sg_id end;
begin
    perform lock_film(named);
    delete from film_removals where media_key = named and sg_id = place and begun_at is null;
    if exists (select from film_removals where media_key = named and sg_id = place) then
        raise exception 'files of % are being removed from storage group %', named, place using errcode = 'object_in_use';
    end if;
    return new;
end $$;
create trigger videos_film_insert before insert on videos for each row
    when (new.media_key like 'films/%' or new.picture_key is not null) execute function film_named();
create trigger videos_film_update before update of media_key, sg_id, picture_key on videos for each row
    when ((new.media_key like 'films/%' or new.picture_key is not null)
          and (old.media_key, old.picture_key, old.sg_id) is distinct from (new.media_key, new.picture_key, new.sg_id))
    execute function film_named();
