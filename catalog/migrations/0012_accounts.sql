-- What a member is shown of each sign-in, so that a strange one is noticed and ended.
alter table sessions
    -- Kind of browser and system, made of User-Agent when the session began; never the whole header.
    add column agent text not null default '',
    -- Country of the address at sign-in; the address itself is not kept.
    add column country text,
    add constraint sessions_agent_length check (length(agent) <= 100),
    add constraint sessions_country_format check (country ~ '^[A-Z]{2}$');
create index sessions_used on sessions (last_used_at);

-- A new address counts once its link was followed; until then it stands here and the old one goes on counting.
alter table mail_tokens
    drop constraint mail_tokens_purpose_known,
    add column email text,
    add constraint mail_tokens_purpose_known check (purpose in ('confirm', 'restore', 'mail')),
    add constraint mail_tokens_mail_has_address check ((purpose = 'mail') = (email is not null)),
    add constraint mail_tokens_email_format
        check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' and length(email) <= 254);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- Whoever bans a member, by whatever way, ends the sessions with it: they would come back to life with the account.
create function users_end_sessions() returns trigger language plpgsql as $$
begin
    delete from sessions s using after a where s.user_id = a.id and a.status_id = 5;
    return null;
end $$;
create trigger users_end_sessions after update on users referencing new table as after
    for each statement execute function users_end_sessions();
