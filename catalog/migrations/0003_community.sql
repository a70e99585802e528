-- What members do with the library. (section, object_id) names any object without one table per kind;
-- sections are the outbox's entity names.

create table comments (
    id bigint generated always as identity primary key,
    section text not null,
    object_id bigint not null,
    user_id bigint not null references users on delete cascade,
    body text not null,
    created_at timestamptz not null default now(),
    -- Moderated away; kept so that a complaint can be answered.
    deleted_at timestamptz,
    constraint comments_section_known check (section in ('video', 'album', 'model', 'playlist', 'user')),
    constraint comments_length check (length(body) between 5 and 1500)
);
create index comments_object on comments (section, object_id, id desc) where deleted_at is null;
create index comments_user on comments (user_id, created_at desc);

create table votes (
    id bigint generated always as identity primary key,
    section text not null,
    object_id bigint not null,
    user_id bigint references users on delete cascade,
    -- Keyed hash of a guest's address: enough to refuse a second vote that day, useless to find the guest.
    guest_key bytea,
    vote smallint not null,
    voted_on date not null default (now() at time zone 'UTC')::date,
    constraint votes_section_known check (section in ('video', 'album', 'model', 'playlist', 'user')),
    constraint votes_value_known check (vote in (-1, 1)),
    constraint votes_one_voter check (num_nonnulls(user_id, guest_key) = 1)
);
create unique index votes_member_once on votes (section, object_id, user_id) where user_id is not null;
create unique index votes_guest_daily on votes (section, object_id, guest_key, voted_on)
    where guest_key is not null;
create index votes_user on votes (user_id) where user_id is not null;

create table favourites (
    user_id bigint not null references users on delete cascade,
    video_id bigint not null references videos on delete cascade,
    added_at timestamptz not null default now(),
    primary key (user_id, video_id)
);
create index favourites_video on favourites (video_id);

create table watch_later (
    user_id bigint not null references users on delete cascade,
    video_id bigint not null references videos on delete cascade,
    added_at timestamptz not null default now(),
    primary key (user_id, video_id)
);
create index watch_later_video on watch_later (video_id);

create table history (
    user_id bigint not null references users on delete cascade,
    video_id bigint not null references videos on delete cascade,
    watched_at timestamptz not null default now(),
    -- Seconds into the video, to go on from there.
    stopped_at integer not null default 0,
    primary key (user_id, video_id),
    constraint history_stopped_at_positive check (stopped_at >= 0)
);
create index history_video on history (video_id);
create index history_recent on history (user_id, watched_at desc);

create table subscriptions (
    user_id bigint not null references users on delete cascade,
    section text not null,
    object_id bigint not null,
    created_at timestamptz not null default now(),
    primary key (user_id, section, object_id),
    constraint subscriptions_section_known check (section in ('model', 'channel', 'user')),
    constraint subscriptions_not_self check (not (section = 'user' and object_id = user_id))
);
create index subscriptions_object on subscriptions (section, object_id);

-- A member's wall: what others (or the member) wrote there. A model's wall is the model's comments.
create table walls (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    author_id bigint not null references users on delete cascade,
    body text not null,
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    constraint walls_length check (length(body) between 5 and 1500)
);
create index walls_user on walls (user_id, id desc) where deleted_at is null;
create index walls_author on walls (author_id);
