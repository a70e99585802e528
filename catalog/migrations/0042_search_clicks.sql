-- What was opened after a search: words, language, day, video and counts of visitors. No address, no member, no session, no moment, no
-- hash of any. Rows that stay below search_log.min_count go when their day has ended.
create table search_clicks (
    lang text not null,
    query text not null,
    video_id bigint not null references videos on delete cascade,
    day date not null,
    -- Different networks it was opened from that day, as far as each node can tell them apart.
    visitors integer not null,
    -- The sum of the places it stood at, from 1.
    places integer not null,
    primary key (lang, query, video_id, day),
    constraint search_clicks_counts check (visitors > 0 and places >= visitors)
);
create index search_clicks_day on search_clicks (day);
create index search_clicks_video on search_clicks (video_id);
