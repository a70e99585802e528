-- The address that counts is sent a link, too, when another one is asked for: following it (`stop`) ends that wish.
alter table mail_tokens
    drop constraint mail_tokens_purpose_known,
    add constraint mail_tokens_purpose_known check (purpose in ('confirm', 'restore', 'mail', 'stop'));
