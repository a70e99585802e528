-- What was taken over from another system, by the name and the id it has there, so that taking it over again changes what differs
-- and nothing else.
create table imports (
    source text not null,
    source_id text not null,
    -- SHA-256 of the row as it was read: the same row needs no work.
    digest bytea not null,
    -- Its video; NULL while its film waits, or when the video was removed.
    video_id bigint references videos on delete set null,
    -- Its film on the way, if it brought one.
    upload_id bigint references uploads on delete set null,
    imported_at timestamptz not null default now(),
    primary key (source, source_id),
    constraint imports_digest_length check (octet_length(digest) = 32),
    constraint imports_source_format check (source ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(source) <= 50),
    constraint imports_source_id_length check (length(source_id) between 1 and 200)
);
create index imports_video on imports (video_id) where video_id is not null;
create index imports_upload on imports (upload_id) where upload_id is not null;
