-- Searches are kept as sums by day only: the log with its moments said more about people than the reports need.
drop table search_log;
drop function search_log_count();

alter table search_days
    -- Searches that found nothing as they were asked, whatever was shown instead.
    add column zero_hits integer not null default 0,
    -- Of those, the ones that found something once part of the wish was given up.
    add column rescued integer not null default 0,
    -- What was given up at the latest of them, comma-separated.
    add column rescued_by text,
    add constraint search_days_counts check (zero_hits between 0 and searches and rescued between 0 and zero_hits);
comment on table search_days is
    'What was searched: words, language, day and counts. No address, no member, no session, no moment. Rows that stay below search_log.min_count go when their day has ended.';
