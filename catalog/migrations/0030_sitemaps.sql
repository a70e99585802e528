-- Sitemaps as they are sent. To write them takes the rows of the whole catalog, so they are made on a schedule, by one node for all.
create table sitemap_parts (
    name text primary key,
    -- The list of parts as XML, the parts packed with gzip.
    body bytea not null,
    -- Names the bytes, for clients that have them.
    tag text not null,
    -- Names what is said apart from counters, which alone are no reason to write a part again.
    gist text not null,
    made_at timestamptz not null default now()
);
-- What is packed is not packed again.
alter table sitemap_parts alter column body set storage external;

-- When they are due; whoever moves it on makes them.
create table sitemap_schedule (
    only_row boolean primary key default true check (only_row),
    due_at timestamptz not null default now()
);
insert into sitemap_schedule default values;
