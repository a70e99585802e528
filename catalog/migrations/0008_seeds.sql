-- Loads of demo data. A load that was cut short has no finished_at: what it left is thrown away by the next one,
-- while any other content is never touched.
create table seeds (
    id bigint generated always as identity primary key,
    seed bigint not null,
    videos bigint not null,
    started_at timestamptz not null default now(),
    finished_at timestamptz
);
