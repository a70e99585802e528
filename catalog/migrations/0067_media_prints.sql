-- What films and pictures are known by, kept apart from them: whatever becomes of the object, its member and the upload, a take-down
-- can still ban what it was made of.
create table media_prints (
    -- Kind and id of the object. No reference: a print outlives it.
    section text not null,
    object_id bigint not null,
    -- Key of a picture; of a film the digits of its digest.
    part text not null,
    -- SHA-256 of a film's bytes as they came, or of a picture's largest file.
    digest bytea,
    -- PDQ hashes of a picture: as it was sent and, where it is cropped, as it is stored. Of films there is `fingerprints`.
    looks bit(256)[] not null default '{}',
    -- When a picture was decoded for its looks. A job looks at those without.
    looked_at timestamptz,
    -- Its owner took it away while reports waited: the files stay until these are decided on.
    held_at timestamptz,
    -- Taken down for good.
    banned_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (section, object_id, part),
    constraint media_prints_section_known check (section in ('video', 'album', 'user')),
    constraint media_prints_digest_length check (octet_length(digest) = 32)
);
create index media_prints_banned on media_prints (digest) where banned_at is not null;
create index media_prints_banned_looks on media_prints (banned_at) where banned_at is not null and looks <> '{}';
create index media_prints_held on media_prints (part) where held_at is not null;
create index media_prints_unseen on media_prints (created_at) where looked_at is null;

-- No way to write can forget them. What came from nobody, as the demo's pictures, needs none.
create function picture_print(section text, object_id bigint, part text, digest bytea) returns void language sql as $$
    insert into media_prints (section, object_id, part, digest)
    select section, object_id, part, digest where part ~ '^(members|albums|videos)/'
    on conflict do nothing
$$;
create function photos_print() returns trigger language plpgsql as $$
begin
    perform picture_print('album', new.album_id, new.media_key, new.digest);
    return null;
end $$;
create trigger photos_print after insert or update of media_key on photos for each row
    when (new.media_key like 'albums/%') execute function photos_print();
create function videos_print() returns trigger language plpgsql as $$
begin
    perform picture_print('video', new.id, new.picture_key, null);
    return null;
end $$;
create trigger videos_print after insert or update of picture_key on videos for each row
    when (new.picture_key is not null) execute function videos_print();
create function users_print() returns trigger language plpgsql as $$
begin
    perform picture_print('user', new.id, new.avatar_key, null);
    perform picture_print('user', new.id, new.cover_key, null);
    return null;
end $$;
create trigger users_print after insert or update of avatar_key, cover_key on users for each row
    when (new.avatar_key like 'members/%' or new.cover_key like 'members/%') execute function users_print();
create function uploads_print() returns trigger language plpgsql as $$
begin
    insert into media_prints (section, object_id, part, digest, looked_at)
    values ('video', new.video_id, encode(new.sha256, 'hex'), new.sha256, now()) on conflict do nothing;
    return null;
end $$;
create trigger uploads_print after insert or update of video_id, sha256 on uploads for each row
    when (new.video_id is not null and new.sha256 is not null) execute function uploads_print();

select picture_print('album', album_id, media_key, digest) from photos where media_key like 'albums/%';
select picture_print('video', id, picture_key, null) from videos where picture_key is not null;
select picture_print('user', id, avatar_key, null) from users where avatar_key is not null;
select picture_print('user', id, cover_key, null) from users where cover_key is not null;
insert into media_prints (section, object_id, part, digest, looked_at)
select 'video', video_id, encode(sha256, 'hex'), sha256, now() from uploads where video_id is not null and sha256 is not null
on conflict do nothing;

-- One list of what is banned, in place of two by digest alone. What has no object any more is that of none.
update media_prints p set banned_at = b.banned_at from banned_films b, videos v
where p.digest = b.sha256 and p.section = 'video' and v.id = p.object_id and v.status_id = 5;
update media_prints p set banned_at = b.banned_at from banned_photos b, albums a
where p.digest = b.digest and p.section = 'album' and a.id = p.object_id and a.status_id = 5;
insert into media_prints (section, object_id, part, digest, looked_at, banned_at)
select 'video', 0, encode(sha256, 'hex'), sha256, now(), banned_at from banned_films b
where not exists (select from media_prints p where p.digest = b.sha256 and p.banned_at is not null)
union all
select 'album', 0, encode(digest, 'hex'), digest, now(), banned_at from banned_photos b
where not exists (select from media_prints p where p.digest = b.digest and p.banned_at is not null);
drop table banned_films, banned_photos;

-- Whether reports of an object wait, or hide it: what its owner deletes meanwhile is only hidden.
create function is_held(held_section text, held_id bigint) returns boolean language sql stable as $$
    select exists (select from reports r where r.section = held_section and r.object_id = held_id and r.state in ('open', 'in_review'))
        or exists (select from report_hides h where h.section = held_section and h.object_id = held_id)
$$;

-- What an object said when it was reported: its owner may change or delete it. Forgotten once the report is closed.
alter table reports add column said text;
create function said_by(said_section text, said_id bigint) returns text language sql stable as $$
    select case said_section
        when 'video' then (select concat_ws(E'\n', title, nullif(description, '')) from videos where id = said_id)
        when 'album' then (select concat_ws(E'\n', title, nullif(description, '')) from albums where id = said_id)
        when 'playlist' then (select concat_ws(E'\n', title, description) from playlists where id = said_id)
        when 'comment' then (select body from comments where id = said_id)
        when 'wall' then (select body from walls where id = said_id)
        when 'message' then (select body from messages where id = said_id)
        when 'user' then (select concat_ws(E'\n', u.username, p.about, p.interests, p.occupation, p.education, p.city, p.website)
                          from users u left join profiles p on p.user_id = u.id where u.id = said_id)
        end
$$;
create function reports_said() returns trigger language plpgsql as $$
begin
    new.said = case when new.state in ('open', 'in_review') then coalesce(new.said, said_by(new.section, new.object_id)) end;
    return new;
end $$;
create trigger reports_said before insert or update of state on reports for each row execute function reports_said();
update reports set said = said_by(section, object_id) where state in ('open', 'in_review') and section is not null;

-- What was decided on an object, whatever became of it.
create index decisions_object on decisions (section, object_id) where section is not null;
