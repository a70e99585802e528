-- Who decides on what others uploaded, what they decided and why.
create table staff (
    user_id bigint primary key references users on delete cascade,
    -- Of the second step of their sign-in: a secret, sealed, and the last interval of time whose password was used.
    totp_secret bytea not null,
    totp_step bigint not null default 0,
    granted_at timestamptz not null default now()
);

-- Until when the session's member may decide: they took the second step.
alter table sessions add column staff_until timestamptz;

-- Counts what a member changes in a video that a person has to look at, so that nobody lets out what they did not see.
alter table videos
    add column revision integer not null default 0,
    -- Why it was rejected: a word of `moderation.reasons`.
    add column rejection text;
alter table albums
    add column revision integer not null default 0,
    add column rejection text;

-- Films that may never come back, by the digest of their bytes.
create table banned_films (
    sha256 bytea primary key,
    banned_at timestamptz not null default now(),
    constraint banned_films_digest_length check (octet_length(sha256) = 32)
);

-- A copy of the document that was checked, sealed; records of before have a reference only.
alter table performer_consents add column proof bytea, add column proof_type text;
alter table performer_consents alter column proof set storage external;

-- Everything that was decided, in one chain: each row holds the digest of the one before.
create table decisions (
    number bigint primary key,
    decided_at timestamptz not null,
    -- Names and ids as they were: a row outlives what it speaks of.
    actor text not null,
    actor_id bigint,
    act text not null,
    section text,
    object_id bigint,
    -- A JSON object as text, because the digest is of these very characters.
    details text not null,
    previous bytea not null,
    digest bytea not null
);

-- The digest of a row: SHA-256 of its other columns as a JSON array, which no two different rows share.
create function decision_digest(d decisions) returns bytea language sql stable as $$
    select sha256(convert_to(jsonb_build_array(
        d.number, (extract(epoch from d.decided_at) * 1000000)::bigint, d.actor, d.actor_id, d.act, d.section, d.object_id,
        d.details, encode(d.previous, 'hex'))::text, 'UTF8'))
$$;

create function decisions_chain() returns trigger language plpgsql as $$
declare
    latest decisions;
begin
    -- One after the other until the transaction ends, so that numbers have no gaps and no two rows follow the same one.
    perform pg_advisory_xact_lock(hashtextextended('decisions', 0));
    select * into latest from decisions order by number desc limit 1;
    new.number = coalesce(latest.number, 0) + 1;
    new.decided_at = clock_timestamp();
    new.previous = coalesce(latest.digest, '\x'::bytea);
    new.digest = decision_digest(new);
    return new;
end $$;
create trigger decisions_chain before insert on decisions for each row execute function decisions_chain();

create function decisions_stay() returns trigger language plpgsql as $$
begin
    raise exception 'decisions are never changed' using errcode = 'insufficient_privilege', table = 'decisions';
end $$;
create trigger decisions_stay before update or delete on decisions for each row execute function decisions_stay();
create trigger decisions_stay_all before truncate on decisions for each statement execute function decisions_stay();

-- What was taken down and is named by a sitemap still: its part is made again at once.
create table sitemap_stale (
    section text not null,
    object_id bigint not null,
    primary key (section, object_id)
);
-- When the rows of a part were read, so that a slower writer doesn't bring back what is gone.
alter table sitemap_parts add column read_at timestamptz not null default '-infinity';
