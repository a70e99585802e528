-- A category that is renamed writes a row for each of its videos, hundreds of thousands of them: its own, which every label shows, is
-- claimed before them.
drop index outbox_waiting;
create index outbox_waiting on outbox (consumer_id, (entity <> 'category'), id) where parked is null;
