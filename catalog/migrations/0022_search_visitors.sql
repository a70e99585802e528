-- search_days counts visitors, each once a day for a query. Counts of searches can't be told from those, and a few visitors may
-- stand behind any of them, so none is kept, nor what was drawn from them.
delete from search_days;
delete from keywords;
comment on column search_days.searches is
    'Different visitors who searched it that day, as far as each node can tell them apart; robots not among them.';
comment on column search_days.zero_hits is 'Of those, the ones for whom nothing matched all that was asked.';
comment on table search_days is
    'What was searched: plain words, language, day and counts of visitors. No address, no member, no session, no moment, no hash of any. Rows that stay below search_log.min_count go when their day has ended.';
