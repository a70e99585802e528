-- Limits that several nodes share (limits.store = "shared"). A key has as many slots as its policy allows attempts per window;
-- a slot that is due, or has no row, can be taken. All times are this server's, so that nodes need not agree on theirs.
create table limit_slots (
    action text not null,
    -- What is counted: an address, a member, the hash of a name. No foreign key: most keys are nobody's.
    key bytea not null,
    slot smallint not null,
    -- When the slot can be taken again; of a burst-and-rate policy, the theoretical arrival time.
    due timestamptz not null,
    primary key (action, key, slot)
);
-- Finds slots at rest, which are removed every minute.
create index limit_slots_due on limit_slots (due);
