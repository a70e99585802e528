-- Accounts: who can sign in, what others see of them, and how they reach each other.
--
-- Rules of the whole schema: bigint identity ids, timestamptz instants, enums as text with a named
-- CHECK (adding a value is then one migration line, and the name maps to an error code), and counters
-- that change per click apart from the rows they count (see 0005), so that a click rewrites no wide row.

create table users (
    id bigint generated always as identity primary key,
    username text not null,
    email text not null,
    -- Argon2id in PHC form; NULL for members who only sign in through OpenID Connect.
    password_hash text,
    oidc_subject text,
    -- 1 ordinary, 5 banned, 6 may manage uploaded videos (private, delete, re-add).
    status_id smallint not null default 1,
    avatar_key text,
    cover_key text,
    -- NULL until the link of the confirmation mail was followed; signing in is refused until then.
    email_confirmed_at timestamptz,
    created_at timestamptz not null default now(),
    constraint users_username_format check (username ~ '^[A-Za-z0-9_-]{3,20}$'),
    constraint users_email_format check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254),
    constraint users_status_known check (status_id in (1, 5, 6)),
    constraint users_oidc_subject_key unique (oidc_subject)
);

-- Names and addresses differing only in case belong to one person, hence unique on lower().
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email));

create table profiles (
    user_id bigint primary key references users on delete cascade,
    gender text,
    birth_date date,
    relationship text,
    orientation text,
    education text,
    website text,
    about text,
    city text,
    country text,
    interests text,
    occupation text,
    created_at timestamptz not null default now(),
    constraint profiles_gender_known check (gender in ('male', 'female', 'trans', 'couple')),
    constraint profiles_relationship_known
        check (relationship in ('single', 'in_relationship', 'married', 'open', 'complicated')),
    constraint profiles_orientation_known check (orientation in ('straight', 'gay', 'lesbian', 'bisexual')),
    constraint profiles_country_format check (country ~ '^[A-Z]{2}$'),
    -- Members agree to be adults at sign-up; a birth date that says otherwise is refused.
    constraint profiles_adult
        check (birth_date <= (created_at at time zone 'UTC')::date - interval '18 years'),
    constraint profiles_text_lengths check (
        length(education) <= 200 and length(website) <= 300 and length(about) <= 2000 and length(city) <= 100
        and length(interests) <= 1000 and length(occupation) <= 200)
);

-- The token itself never touches the disk: a stolen table opens no session.
create table sessions (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    token_hash bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint sessions_token_hash_key unique (token_hash),
    constraint sessions_token_hash_length check (octet_length(token_hash) = 32),
    constraint sessions_expire_later check (expires_at > created_at)
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Single-use links sent by mail (confirm the address, restore the password), hashed like sessions.
create table mail_tokens (
    token_hash bytea primary key,
    user_id bigint not null references users on delete cascade,
    purpose text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    constraint mail_tokens_purpose_known check (purpose in ('confirm', 'restore')),
    constraint mail_tokens_hash_length check (octet_length(token_hash) = 32)
);
create index mail_tokens_user on mail_tokens (user_id);

-- One row per pair, whoever asked: the unique index on the ordered pair refuses the mirror image.
create table friends (
    user_id bigint not null references users on delete cascade,
    friend_id bigint not null references users on delete cascade,
    state text not null default 'requested',
    created_at timestamptz not null default now(),
    accepted_at timestamptz,
    primary key (user_id, friend_id),
    constraint friends_not_self check (user_id <> friend_id),
    constraint friends_state_known check (state in ('requested', 'accepted')),
    constraint friends_accepted_when check ((state = 'accepted') = (accepted_at is not null))
);
create unique index friends_pair_key on friends (least(user_id, friend_id), greatest(user_id, friend_id));
create index friends_friend on friends (friend_id);

create table messages (
    id bigint generated always as identity primary key,
    sender_id bigint not null references users on delete cascade,
    recipient_id bigint not null references users on delete cascade,
    body text not null,
    created_at timestamptz not null default now(),
    read_at timestamptz,
    -- Each side deletes its own view; the row goes when both did.
    sender_deleted boolean not null default false,
    recipient_deleted boolean not null default false,
    constraint messages_not_self check (sender_id <> recipient_id),
    constraint messages_length check (length(body) between 1 and 1500)
);
create index messages_inbox on messages (recipient_id, id desc) where not recipient_deleted;
create index messages_sent on messages (sender_id, id desc) where not sender_deleted;
