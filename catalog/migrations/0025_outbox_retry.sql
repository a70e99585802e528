-- A parked row is tried again: its cause may be mended without a change of the object.
alter table outbox
    -- When; kept while the row is tried, since it waits from then on.
    add column retry_at timestamptz,
    -- How often the engine refused the object's document: the pauses grow with it.
    add column refusals integer not null default 0;
-- What was parked before, a full disk's victims among it, is tried at once.
update outbox set retry_at = clock_timestamp() where parked is not null;
