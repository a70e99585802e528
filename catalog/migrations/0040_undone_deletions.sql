-- Who takes away a comment or an entry of a wall may think better of it for a moment; what reports or moderators hid has no such name.
alter table comments add column deleted_by bigint references users on delete set null;
alter table walls add column deleted_by bigint references users on delete set null;
create index comments_deleted_by on comments (deleted_by) where deleted_by is not null;
create index walls_deleted_by on walls (deleted_by) where deleted_by is not null;
