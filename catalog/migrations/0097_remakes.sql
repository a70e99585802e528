-- Remakes: films encoded anew from their originals, or from their largest renditions (ADR 108).
alter table videos
    -- What the renditions were made with: the shorter side of the source, the rungs of the ladder and the settings of the encoders.
    -- NULL for films from before this was recorded, and for demo clips.
    add column encoding jsonb;

-- The files of a film before it was remade. They serve the links to them until they are removed.
create table former_films (
    media_key text primary key,
    video_id bigint not null references videos on delete cascade,
    sg_id integer not null,
    remove_at timestamptz not null
);
create index former_films_video on former_films (video_id);
create index former_films_remove on former_films (remove_at);
create trigger former_films_named before insert or update of media_key, sg_id on former_films
    for each row execute function original_named();
create trigger former_films_removed after delete on former_films for each row execute function original_removed();
create function former_films_end() returns trigger language plpgsql as $$
begin
    delete from former_films where video_id = new.id;
    return null;
end $$;
create trigger videos_former_films_end after update of media_key on videos for each row
    when (old.media_key is not null and new.media_key is null) execute function former_films_end();

-- Remakes that are due, by film.
create index jobs_remakes on jobs ((payload->>'key')) where kind = 'film_remake' and state in ('queued', 'running');
