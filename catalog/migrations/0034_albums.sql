-- Albums that members make: drafts, a cover, pictures told apart by what they show, and proof of consent as videos have it.
alter table albums
    -- Nobody let it out yet: with the first decision that does it is of that day.
    add column is_new boolean not null default false,
    -- When it was deleted: its files stay for a while.
    add column deleted_at timestamptz;

create function albums_deleted() returns trigger language plpgsql as $$
begin
    new.deleted_at = case when new.status_id = 5 then coalesce(new.deleted_at, now()) end;
    return new;
end $$;
create trigger albums_deleted before insert or update of status_id on albums for each row execute function albums_deleted();
update albums set status_id = 5 where status_id = 5;
create index albums_deleted on albums (deleted_at) where deleted_at is not null;
create index albums_drafts on albums (created_at) where status_id = 3 and is_new;

alter table photos
    -- SHA-256 of the largest size that is stored: what else was in the file that was sent doesn't make it another picture.
    add column digest bytea,
    -- Without one the first is the album's picture.
    add column is_cover boolean not null default false,
    add constraint photos_digest_length check (octet_length(digest) = 32);
create unique index photos_digest_key on photos (album_id, digest) where digest is not null;
create unique index photos_cover_key on photos (album_id) where is_cover;

-- Pictures of albums that were taken down, which may never come back.
create table banned_photos (
    digest bytea primary key,
    banned_at timestamptz not null default now(),
    constraint banned_photos_digest_length check (octet_length(digest) = 32)
);

-- A consent is to a video or to an album; it outlives both.
alter table performer_consents
    add column album_id bigint references albums on delete set null,
    add constraint performer_consents_one_object check (num_nonnulls(video_id, album_id) < 2),
    drop constraint performer_consents_once;
create unique index performer_consents_once on performer_consents (model_id, coalesce(video_id, 0), coalesce(album_id, 0))
    where num_nonnulls(video_id, album_id) = 1;
create index performer_consents_album on performer_consents (album_id) where album_id is not null;
