-- What one session of a moderator can do before it proves again who holds it, and what it did is undone.

-- Grave decisions (take-downs, bans, revocations) since the session's last one-time password.
alter table sessions add column grave_decisions integer not null default 0;

-- Browsers from which a moderator took the second step: their wrong codes are counted apart from those of strangers who know the
-- password, so that no stranger locks the moderator out.
create table staff_devices (
    token_hash bytea primary key,
    user_id bigint not null references staff on delete cascade,
    used_at timestamptz not null,
    constraint staff_devices_token_hash_length check (octet_length(token_hash) = 32)
);
create index staff_devices_user on staff_devices (user_id, used_at);

-- Videos and albums that were taken down and can still be restored: their files stay while the row is there.
create table quarantines (
    section text not null,
    object_id bigint not null,
    -- What it was before.
    status_before smallint not null,
    restore_status_id smallint,
    readd_at timestamptz,
    -- The moderator; NULL for the operator. No reference: the row outlives the account.
    taken_down_by bigint,
    taken_down_at timestamptz not null default now(),
    primary key (section, object_id),
    constraint quarantines_section_known check (section in ('video', 'album'))
);
create index quarantines_age on quarantines (taken_down_at);
