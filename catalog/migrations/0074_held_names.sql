-- Where forms don't say which addresses have an account, a sign-up with the address of one looks as any other. Its name is taken then
-- for as long as an account would wait for its confirmation, or asking for the name again would tell.
create table held_names (
    -- As name_key spells it.
    name text primary key,
    until timestamptz not null
);
