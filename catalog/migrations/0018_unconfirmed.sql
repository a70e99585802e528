-- Accounts that wait for their confirmation are looked through every minute; they are few among many.
create index users_unconfirmed on users (created_at) where email_confirmed_at is null;
