-- Names for the numbers in `status_id`. Rust has the same names in catalog/src/status.rs, the app in web/src/api/status.ts.
--
-- The columns stay smallint with their named checks, because a domain costs more than it adds. A column that a generated column,
-- view or trigger refers to can't change its type, so `visible` with its indexes, 4 views and 5 triggers would have to be dropped
-- and made again. A domain with a check also rewrites the table: 1.7 s per million narrow rows under an exclusive lock, and `visible`
-- would rewrite it once more.
--
-- The functions are inlined, so plans and partial indexes are those of the bare numbers (tests/catalog/statuses.rs). Planning takes
-- about 10 µs longer for each name and 50 µs for each condition below; a prepared statement is planned a few times only.

-- Statuses of videos and albums.
create function published() returns smallint language sql immutable parallel safe return 1::smallint;
create function in_review() returns smallint language sql immutable parallel safe return 2::smallint;
create function draft() returns smallint language sql immutable parallel safe return 3::smallint;
create function rejected() returns smallint language sql immutable parallel safe return 4::smallint;
create function deleted() returns smallint language sql immutable parallel safe return 5::smallint;
comment on column videos.status_id is
    '1 published, 2 in review, 3 draft (its member has yet to choose a screenshot, or an import its film), 4 rejected, 5 deleted';
comment on column albums.status_id is '1 published, 2 in review, 3 draft (never submitted), 4 rejected, 5 deleted';

-- Statuses of members.
create function ordinary() returns smallint language sql immutable parallel safe return 1::smallint;
create function banned() returns smallint language sql immutable parallel safe return 5::smallint;
create function manages_uploads() returns smallint language sql immutable parallel safe return 6::smallint;
comment on column users.status_id is
    '1 ordinary, 5 banned, 6 manages own uploads (makes them private, deletes them, has them restored)';

-- Whether a member takes part: other members can reach them.
create function is_active(member users) returns boolean language sql immutable parallel safe
    return member.status_id <> banned() and member.email_confirmed_at is not null;
-- Whether guests can see a member's profile. Reports may hide it.
create function is_visible(member users) returns boolean language sql immutable parallel safe
    return is_active(member) and member.hidden_at is null;
-- Whether a member may watch a video. Private videos are open to members who know their address.
create function is_open_to(video videos, member_id bigint) returns boolean language sql immutable parallel safe
    return video.status_id = published() or video.user_id = member_id and video.status_id <> deleted();
