-- Lists that members saved: searches, categories, models' videos, with their filters.
create table saved_searches (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    name text not null,
    -- Path and query as the site itself writes them, of the first page: so the same list is saved once.
    address text not null,
    created_at timestamptz not null default now(),
    -- When the member last looked at the list; what was posted since is new.
    seen_at timestamptz not null,
    unique (user_id, address),
    constraint saved_searches_name check (char_length(name) between 1 and 100),
    constraint saved_searches_address check (octet_length(address) between 1 and 2000)
);
