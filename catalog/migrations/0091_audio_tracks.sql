-- Audio tracks of a film that has several: an array of objects with `lang` (ISO 639-1, or null), `title` and `kind`, in the order in which
-- players list them. The first is the default. Empty for a film with one track or none.
alter table videos add column audio_tracks jsonb not null default '[]'
    constraint videos_audio_tracks_array check (jsonb_typeof(audio_tracks) = 'array');

-- Unchecked texts that were part of a video's film, without tags, or null.
create function texts_of_film(video bigint) returns text stable language sql as $$
    select nullif(concat_ws(' ', captions_of_film(video), (
        select string_agg(track ->> 'title', ' ') from videos v, jsonb_array_elements(v.audio_tracks) track where v.id = video
    )), '')
$$;
