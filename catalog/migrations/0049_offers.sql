-- What belongs to the site's business: members who pay, words below lists, and how pages are visited.

-- Members who see no advertisements and no offer, until then.
create table premium (
    user_id bigint primary key references users on delete cascade,
    until timestamptz not null
);

-- What an operator says below a list, for people and search engines, in one language.
create table list_texts (
    -- Path of the list's first page.
    path text not null,
    lang text not null,
    body text not null,
    updated_at timestamptz not null default clock_timestamp(),
    primary key (path, lang),
    constraint list_texts_path check (path ~ '^/([^[:space:]?#]*/)?$' and length(path) <= 300),
    constraint list_texts_lang_known check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint list_texts_body_length check (length(body) between 1 and 5000)
);
comment on table list_texts is
    'Text below a list. Paragraphs are apart by an empty line; one that begins with "# " is a heading. Nothing in it is HTML.';
-- Nodes hold the texts in memory and look for newer ones, whoever wrote them.
create function list_texts_touched() returns trigger language plpgsql as $$
begin
    new.updated_at := clock_timestamp();
    return new;
end $$;
create trigger list_texts_touched before update on list_texts for each row execute function list_texts_touched();

-- How often pages were visited: sums of a day, nothing about who.
create table page_view_days (
    day date not null,
    -- One of the configured campaigns, empty for none.
    campaign text not null,
    -- Name of the screen, as addresses.json has it.
    screen text not null,
    -- Pages that were opened, those of them that were entered from elsewhere, and steps to another page of the same list.
    views bigint not null,
    entries bigint not null,
    steps bigint not null,
    primary key (day, campaign, screen),
    constraint page_view_days_counts check (views >= 0 and entries between 0 and views and steps >= 0)
);
