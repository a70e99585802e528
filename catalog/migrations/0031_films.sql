-- From an upload to a video: what its member says of it (`metadata`), the work on it, and how tall its film became.
alter table uploads
    -- NULL until its member said what it is called.
    add column described_at timestamptz,
    -- Made for this site alone: such a film may be shorter.
    add column is_exclusive boolean not null default false,
    add column job_id bigint references jobs on delete set null,
    -- When it became a video, or it was known that it won't.
    add column ended_at timestamptz,
    -- When a person let its video out for the first time, which is the video's date.
    add column published_at timestamptz;
create index uploads_job on uploads (job_id) where job_id is not null;
create index uploads_ready on uploads (id) where state = 'received' and described_at is not null;
-- What nobody says anything of, and what failed, is removed, too.
drop index uploads_expiry;
create index uploads_expiry on uploads (expires_at) where state in ('receiving', 'received', 'failed');
-- Pixels of the tallest rendition; films from before there were others have 480.
alter table videos add column height smallint not null default 480;
alter table videos add constraint videos_height_range check (height between 1 and 4320);
