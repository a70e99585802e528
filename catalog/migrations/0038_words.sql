-- Words of the titles that guests see, which misspelled searches are put right by. To gather them takes the titles of the whole
-- catalog, so they are learned on a schedule, by one node for all.
create table words (
    lang text primary key constraint words_lang_known check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    -- A line each: the word, a tab, how many videos have it; the most frequent first.
    list text not null,
    learned_at timestamptz not null default now()
);

-- What recurs on one node for all, and when it is due; whoever moves it on does it.
create table schedules (
    name text primary key,
    due_at timestamptz not null default now()
);
insert into schedules (name, due_at) select 'sitemaps', due_at from sitemap_schedule;
insert into schedules (name) values ('words');
drop table sitemap_schedule;
