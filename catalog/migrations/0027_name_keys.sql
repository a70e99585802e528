-- The one form names and mail addresses are compared in: ASCII letters small, the rest as it is. In the collation "C" lower() knows
-- no other letters; that of the database took `İ` for an `i`, so one account had names that the limits counted apart. Whoever asks
-- makes the form beforehand (lantern_catalog::names::NameKey), and a test compares both over all of Unicode.
-- Names that differed before differ still, so the indexes can always be built.
create function name_key(name text) returns text language sql immutable strict parallel safe
    return lower(name collate "C");

drop index users_username_key;
drop index users_email_key;
create unique index users_username_key on users (name_key(username));
create unique index users_email_key on users (name_key(email));
