-- What was drawn for the foot of every page, so that all nodes show the same until the day ends.
create table keywords (
    day date not null,
    lang text not null,
    -- Searches, as they are kept in search_days.
    queries text[] not null,
    -- Documents of the index of suggestions. Their names are looked up when they are shown: who was removed is not named.
    names text[] not null,
    primary key (day, lang)
);
