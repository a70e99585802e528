-- Captions of videos: one track per language and kind.
create table captions (
    video_id bigint not null references videos on delete cascade,
    -- ISO 639-1.
    lang text not null check (lang ~ '^[a-z]{2}$'),
    -- What it is for, as in HTML: `subtitles` hold what is said, `captions` also sounds, for people who can't hear them.
    kind text not null check (kind in ('subtitles', 'captions')),
    -- Cues as `lantern-media` reads them from a file, in the order of their times.
    cues jsonb not null check (jsonb_typeof(cues) = 'array'),
    -- Whether the track was part of the film instead of a file of its own.
    is_of_film boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (video_id, lang, kind)
);

-- Text of the captions that were part of a video's film, without tags, or null.
create function captions_of_film(video bigint) returns text stable language sql as $$
    select string_agg(regexp_replace(cue ->> 'text', '<[^>]*>', '', 'g'), ' ' order by c.lang, c.kind, place)
    from captions c, jsonb_array_elements(c.cues) with ordinality as cues(cue, place)
    where c.video_id = video and c.is_of_film
$$;
