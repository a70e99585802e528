-- Work that ends the process that does it must not be begun for ever.
alter table jobs
    -- How often its holder was lost: the lease ended, or the holder died, before anything was said of how it went.
    add column lost integer not null default 0;
