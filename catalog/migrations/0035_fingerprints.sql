-- Fingerprints of films, by which one is known again in another encoding.
create table fingerprints (
    -- No reference: what was taken down for good is remembered whatever becomes of the row.
    video_id bigint primary key,
    seconds real not null,
    -- 64 bits of each of ten frames; NULL where a frame tells nothing, as a black one.
    frames bigint[] not null,
    -- When the video was taken down for good.
    banned_at timestamptz,
    constraint fingerprints_seconds_positive check (seconds > 0),
    constraint fingerprints_frames_number check (cardinality(frames) = 10)
);
-- With the frames in it, films of a length are compared without a look at the table.
create index fingerprints_seconds on fingerprints (seconds) include (frames, video_id, banned_at);

-- Bits in which two frames differ.
create function frame_distance(one bigint, other bigint) returns integer language sql immutable parallel safe as $$
    select bit_count((one # other)::bit(64))::integer
$$;

-- Videos that look like another one, as seen from either.
create table likenesses (
    video_id bigint not null references videos on delete cascade,
    other_id bigint not null,
    -- Bits in which their frames differ on average.
    distance real not null,
    primary key (video_id, other_id)
);

-- Those that can be seen, or that were taken down for good; what its owner deleted is nobody's business.
create view likenesses_seen as
    select l.video_id, l.other_id, l.distance, f.banned_at
    from likenesses l join fingerprints f on f.video_id = l.other_id join videos v on v.id = l.other_id
    where f.banned_at is not null or v.status_id <> 5;
