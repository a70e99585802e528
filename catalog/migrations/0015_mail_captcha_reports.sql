-- Captchas are answered once, complaints have weights, and members can be banned with what goes with it.

-- Challenges that were answered, until they could no longer be anyway. Shared by all nodes.
create table captcha_used (
    challenge bytea primary key,
    expires_at timestamptz not null,
    constraint captcha_used_length check (octet_length(challenge) = 32)
);
create index captcha_used_expiry on captcha_used (expires_at);

alter table reports
    -- A word of reports.reasons; NULL for a message that is about no object.
    add column reason text,
    -- What this report counts for when reports of one object are added up, fixed when it came.
    add column weight integer not null default 0,
    -- Whether it came from a member of some standing; what all others weigh together has a cap.
    add column is_trusted boolean not null default false,
    -- When its object's reports became heavy enough to be looked at first.
    add column escalated_at timestamptz,
    -- Whose address a guest's report came from, as a keyed hash: enough to refuse a second one, useless to find the guest.
    add column guest_key bytea,
    add column reported_on date not null default (now() at time zone 'UTC')::date,
    -- Language of the acknowledgement and of the answer.
    add column lang text not null default 'en',
    add constraint reports_weight_positive check (weight >= 0),
    add constraint reports_guest_key_length check (octet_length(guest_key) = 32),
    add constraint reports_reason_of_object check (reason is null or section is not null),
    add constraint reports_lang_known check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    drop constraint reports_section_known,
    add constraint reports_section_known check (section in
        ('video', 'album', 'model', 'channel', 'playlist', 'user', 'comment', 'wall', 'message')),
    -- A reason says enough about an object.
    drop constraint reports_message_length,
    add constraint reports_message_length
        check (length(message) between case when reason is null then 1 else 0 end and 1500);
comment on column reports.is_severe is 'Whether its reason counts towards hiding the object before a person looked.';

create unique index reports_member_once on reports (section, object_id, user_id)
    where section is not null and user_id is not null and state in ('open', 'in_review');
create unique index reports_guest_daily on reports (section, object_id, guest_key, reported_on)
    where section is not null and guest_key is not null;

-- What the weights hid, so that it comes back when the reports prove wrong.
create table report_hides (
    section text not null,
    object_id bigint not null,
    -- What the object was before: a status, or a visibility.
    before text not null,
    hidden_at timestamptz not null default now(),
    primary key (section, object_id),
    constraint report_hides_section_known check (section in ('video', 'album', 'playlist', 'comment', 'wall'))
);

create table bans (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    reason text not null,
    -- What the member may again once the ban is lifted.
    status_before smallint not null,
    banned_at timestamptz not null default now(),
    lifted_at timestamptz,
    constraint bans_reason_length check (length(reason) between 1 and 500),
    constraint bans_status_known check (status_before in (1, 6))
);
create unique index bans_one_at_a_time on bans (user_id) where lifted_at is null;

-- What a banned member wrote is not listed any more (and is again once the ban is lifted), so finished answers that show it
-- are outdated.
create function users_outbox_written() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id)
    select c.section, c.object_id
    from after a join before b using (id) join comments c on c.user_id = a.id
    where (a.status_id = 5) is distinct from (b.status_id = 5) and c.deleted_at is null
    union
    select 'user', w.user_id
    from after a join before b using (id) join walls w on w.author_id = a.id
    where (a.status_id = 5) is distinct from (b.status_id = 5) and w.deleted_at is null;
    return null;
end $$;
create trigger users_outbox_written after update on users
    referencing old table as before new table as after
    for each statement execute function users_outbox_written();

-- Mails wait here between tries; what is done is removed.
create index jobs_kind_due on jobs (kind, run_at, id) where state in ('queued', 'running');
