-- Room on the disk that requests under way fill next. What an upload announces takes none: only what has come, and what is coming.
create table upload_room (
    id bigint generated always as identity primary key,
    bytes bigint not null,
    -- A request that ended without a word gives its room back then.
    until timestamptz not null,
    constraint upload_room_bytes_positive check (bytes > 0)
);
