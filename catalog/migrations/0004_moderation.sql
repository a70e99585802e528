-- Intake and trust: uploads on their way in, background work, complaints, and proof of consent.

create table uploads (
    id bigint generated always as identity primary key,
    -- Unguessable name in URLs, so that a resumable upload can't be continued by someone else.
    token text not null,
    user_id bigint not null references users on delete cascade,
    kind text not null,
    file_name text not null,
    size_bytes bigint not null,
    received_bytes bigint not null default 0,
    state text not null default 'receiving',
    error_code text,
    -- Of the finished file; a second upload of the same bytes is video_duplicate.
    sha256 bytea,
    metadata jsonb not null default '{}',
    video_id bigint references videos on delete set null,
    album_id bigint references albums on delete set null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint uploads_token_key unique (token),
    constraint uploads_kind_known check (kind in ('video', 'photo')),
    constraint uploads_state_known check (state in ('receiving', 'received', 'processing', 'done', 'failed')),
    constraint uploads_size_range check (size_bytes between 1 and 10737418240),
    constraint uploads_received_range check (received_bytes between 0 and size_bytes),
    constraint uploads_failed_has_code check ((state = 'failed') = (error_code is not null))
);
create index uploads_user on uploads (user_id, id desc);
create index uploads_sha256 on uploads (sha256) where sha256 is not null;
create index uploads_video on uploads (video_id) where video_id is not null;
create index uploads_album on uploads (album_id) where album_id is not null;
create index uploads_expiry on uploads (expires_at) where state = 'receiving';

-- Claimed like the outbox: a lease that runs out returns the job to the queue after a crash.
create table jobs (
    id bigint generated always as identity primary key,
    kind text not null,
    payload jsonb not null default '{}',
    state text not null default 'queued',
    attempts integer not null default 0,
    run_at timestamptz not null default now(),
    claimed_until timestamptz,
    last_error text,
    created_at timestamptz not null default now(),
    finished_at timestamptz,
    constraint jobs_state_known check (state in ('queued', 'running', 'done', 'failed')),
    constraint jobs_finished_when check ((state in ('done', 'failed')) = (finished_at is not null))
);
create index jobs_due on jobs (run_at, id) where state in ('queued', 'running');

create table reports (
    id bigint generated always as identity primary key,
    subject text not null,
    email text not null,
    message text not null,
    file_key text,
    -- Page the form was sent from, and the object it is about when the page names one.
    ref text,
    section text,
    object_id bigint,
    user_id bigint references users on delete set null,
    state text not null default 'open',
    -- Complaints of these kinds hide the object at once; the rest wait for a person (false reports come in floods).
    is_severe boolean not null default false,
    resolution text,
    handled_by bigint references users on delete set null,
    created_at timestamptz not null default now(),
    closed_at timestamptz,
    constraint reports_state_known check (state in ('open', 'in_review', 'resolved', 'rejected')),
    constraint reports_closed_when check ((state in ('resolved', 'rejected')) = (closed_at is not null)),
    constraint reports_message_length check (length(message) between 1 and 1500),
    constraint reports_object_complete check ((section is null) = (object_id is null)),
    constraint reports_section_known
        check (section in ('video', 'album', 'model', 'playlist', 'user', 'comment'))
);
create index reports_waiting on reports (is_severe desc, id) where state in ('open', 'in_review');
create index reports_object on reports (section, object_id) where section is not null;
create index reports_user on reports (user_id) where user_id is not null;
create index reports_handler on reports (handled_by) where handled_by is not null;

-- One row says: this performer, identified by a checked document, agreed to this video.
create table performer_consents (
    id bigint generated always as identity primary key,
    model_id bigint not null references models on delete restrict,
    -- Kept when the video goes: records must outlive what they are about.
    video_id bigint references videos on delete set null,
    signed_on date not null,
    document_kind text not null,
    -- Where the custodian keeps the paper, never the paper itself.
    document_ref text not null,
    verified_by text not null,
    verified_at timestamptz not null,
    revoked_at timestamptz,
    created_at timestamptz not null default now(),
    constraint performer_consents_once unique (model_id, video_id),
    constraint performer_consents_kind_known
        check (document_kind in ('passport', 'national_id', 'driving_licence', 'residence_permit')),
    constraint performer_consents_verified_after_signing
        check ((verified_at at time zone 'UTC')::date >= signed_on)
);
create index performer_consents_video on performer_consents (video_id) where video_id is not null;

-- A signature is only consent when the performer was an adult that day; a CHECK can't look at models.
create function performer_consents_check_adult() returns trigger language plpgsql as $$
begin
    if exists (select from models m
               where m.id = new.model_id and m.birth_date > new.signed_on - interval '18 years') then
        raise exception 'performer was not an adult when signing' using
            errcode = 'check_violation', constraint = 'performer_consents_adult', table = 'performer_consents';
    end if;
    return new;
end $$;
create trigger performer_consents_adult before insert or update on performer_consents
    for each row execute function performer_consents_check_adult();
