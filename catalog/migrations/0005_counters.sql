-- Counters live apart from the rows they count: a view or a vote rewrites a few bytes, wakes no outbox
-- trigger, and the indexer collects the changed ones on an interval through counter_marks.

create function rating_of(likes integer, dislikes integer) returns real
    language sql immutable parallel safe
    -- 0 to 5. Two likes and two dislikes are added before dividing, so one lone vote can't top a list.
    return case when likes + dislikes = 0 then 0
           else round(5.0 * (likes + 2) / (likes + dislikes + 4), 2) end::real;

create table video_stats (
    video_id bigint primary key references videos on delete cascade,
    viewed bigint not null default 0,
    -- Sums of view_days over the last 1, 7 and 30 days, today included; roll_view_windows() ages them.
    viewed_day integer not null default 0,
    viewed_week integer not null default 0,
    viewed_month integer not null default 0,
    likes integer not null default 0,
    dislikes integer not null default 0,
    comments integer not null default 0,
    favourites integer not null default 0,
    rating real not null generated always as (rating_of(likes, dislikes)) stored
) with (fillfactor = 80);

create table album_stats (
    album_id bigint primary key references albums on delete cascade,
    viewed bigint not null default 0,
    likes integer not null default 0,
    dislikes integer not null default 0,
    comments integer not null default 0,
    rating real not null generated always as (rating_of(likes, dislikes)) stored
) with (fillfactor = 80);

create table model_stats (
    model_id bigint primary key references models on delete cascade,
    viewed bigint not null default 0,
    likes integer not null default 0,
    dislikes integer not null default 0,
    comments integer not null default 0,
    subscribers integer not null default 0,
    rating real not null generated always as (rating_of(likes, dislikes)) stored
) with (fillfactor = 80);

create table playlist_stats (
    playlist_id bigint primary key references playlists on delete cascade,
    viewed bigint not null default 0,
    likes integer not null default 0,
    dislikes integer not null default 0,
    comments integer not null default 0,
    rating real not null generated always as (rating_of(likes, dislikes)) stored
) with (fillfactor = 80);

create table user_stats (
    user_id bigint primary key references users on delete cascade,
    viewed bigint not null default 0,
    likes integer not null default 0,
    dislikes integer not null default 0,
    comments integer not null default 0,
    subscribers integer not null default 0,
    rating real not null generated always as (rating_of(likes, dislikes)) stored
) with (fillfactor = 80);

create table channel_stats (
    channel_id bigint primary key references channels on delete cascade,
    viewed bigint not null default 0,
    subscribers integer not null default 0
) with (fillfactor = 80);

-- Views per day keep the windows exact; views per country feed the country charts (absent for nogeo views).
create table view_days (
    video_id bigint not null references videos on delete cascade,
    day date not null,
    viewed integer not null,
    primary key (video_id, day)
) with (fillfactor = 90);
create index view_days_day on view_days (day);

create table view_countries (
    country text not null,
    video_id bigint not null references videos on delete cascade,
    viewed integer not null,
    primary key (country, video_id),
    constraint view_countries_country_format check (country ~ '^[A-Z]{2}$')
) with (fillfactor = 90);
create index view_countries_video on view_countries (video_id);

-- Objects whose counters changed since the indexer last took them: one row each, however many clicks.
create table counter_marks (
    entity text not null,
    entity_id bigint not null,
    marked_at timestamptz not null default clock_timestamp(),
    primary key (entity, entity_id)
);

-- Every object has its counters from the start, so that bumping is always a plain update.
create function stats_create() returns trigger language plpgsql as $$
begin
    execute format('insert into %I (%I) select id from changed', tg_argv[0] || '_stats', tg_argv[0] || '_id');
    return null;
end $$;

-- Ordered, so that two transactions marking the same objects queue instead of deadlocking.
create function stats_mark() returns trigger language plpgsql as $$
begin
    execute format(
        'insert into counter_marks (entity, entity_id) select %L, %I from changed order by 2
         on conflict (entity, entity_id) do update set marked_at = clock_timestamp()',
        tg_argv[0], tg_argv[0] || '_id');
    return null;
end $$;

do $$
declare entity text;
begin
    foreach entity in array array['video', 'album', 'model', 'playlist', 'user', 'channel'] loop
        execute format('create trigger %1$s_stats_create after insert on %1$ss referencing new table as changed
            for each statement execute function stats_create(%1$L)', entity);
        continue when entity = 'channel'; -- channels have no index
        execute format('create trigger %1$s_stats_mark after update on %1$s_stats
            referencing new table as changed for each statement execute function stats_mark(%1$L)', entity);
    end loop;
end $$;

-- Comments, votes and subscriptions keep the counters right whoever writes the rows. Arguments: the counter
-- columns' source rows are in "changed"; sign is +1 for rows that came, -1 for rows that went.
create function stats_apply(entity text, section text, counter text, condition text, sign integer)
returns text language sql immutable
return format(
    'update %1$I s set %3$I = s.%3$I + %5$s * d.n
     from (select object_id, count(*) n from changed where section = %4$L and %6$s group by object_id) d
     where s.%2$I = d.object_id',
    entity || '_stats', entity || '_id', counter, section, sign, condition);

create function comments_count() returns trigger language plpgsql as $$
declare s text;
begin
    for s in select distinct section from changed order by 1 loop
        execute stats_apply(s, s, 'comments', 'deleted_at is null', tg_argv[0]::integer);
    end loop;
    return null;
end $$;
create trigger comments_count_insert after insert on comments referencing new table as changed
    for each statement execute function comments_count('1');
create trigger comments_count_delete after delete on comments referencing old table as changed
    for each statement execute function comments_count('-1');
-- An update is the old row going and the new one coming (moderation sets deleted_at).
create trigger comments_count_update_old after update on comments referencing old table as changed
    for each statement execute function comments_count('-1');
create trigger comments_count_update_new after update on comments referencing new table as changed
    for each statement execute function comments_count('1');

create function votes_count() returns trigger language plpgsql as $$
declare s text;
begin
    for s in select distinct section from changed order by 1 loop
        execute stats_apply(s, s, 'likes', 'vote = 1', tg_argv[0]::integer);
        execute stats_apply(s, s, 'dislikes', 'vote = -1', tg_argv[0]::integer);
    end loop;
    return null;
end $$;
create trigger votes_count_insert after insert on votes referencing new table as changed
    for each statement execute function votes_count('1');
create trigger votes_count_delete after delete on votes referencing old table as changed
    for each statement execute function votes_count('-1');
create trigger votes_count_update_old after update on votes referencing old table as changed
    for each statement execute function votes_count('-1');
create trigger votes_count_update_new after update on votes referencing new table as changed
    for each statement execute function votes_count('1');

create function subscriptions_count() returns trigger language plpgsql as $$
declare s text;
begin
    for s in select distinct section from changed order by 1 loop
        execute stats_apply(s, s, 'subscribers', 'true', tg_argv[0]::integer);
    end loop;
    return null;
end $$;
create trigger subscriptions_count_insert after insert on subscriptions referencing new table as changed
    for each statement execute function subscriptions_count('1');
create trigger subscriptions_count_delete after delete on subscriptions referencing old table as changed
    for each statement execute function subscriptions_count('-1');

create function favourites_count() returns trigger language plpgsql as $$
begin
    update video_stats s set favourites = s.favourites + tg_argv[0]::integer * d.n
    from (select video_id, count(*) n from changed group by video_id) d
    where s.video_id = d.video_id;
    return null;
end $$;
create trigger favourites_count_insert after insert on favourites referencing new table as changed
    for each statement execute function favourites_count('1');
create trigger favourites_count_delete after delete on favourites referencing old table as changed
    for each statement execute function favourites_count('-1');

-- Ages the view windows: recomputes them for every video whose window may have changed by `today`.
-- Returns how many rows were rewritten.
create function roll_view_windows(today date) returns bigint language sql as $$
    with sums as (
        select video_id,
               coalesce(sum(viewed) filter (where day = today), 0)::integer as day_sum,
               coalesce(sum(viewed) filter (where day > today - 7), 0)::integer as week_sum,
               coalesce(sum(viewed), 0)::integer as month_sum
        from view_days where day > today - 30 and day <= today group by video_id
    ), target as (
        select s.video_id, coalesce(x.day_sum, 0) d, coalesce(x.week_sum, 0) w, coalesce(x.month_sum, 0) m
        from video_stats s left join sums x using (video_id)
        where (s.viewed_day, s.viewed_week, s.viewed_month)
            is distinct from (coalesce(x.day_sum, 0), coalesce(x.week_sum, 0), coalesce(x.month_sum, 0))
    ), rolled as (
        update video_stats s set viewed_day = t.d, viewed_week = t.w, viewed_month = t.m
        from target t where s.video_id = t.video_id returning 1
    )
    select count(*) from rolled;
$$;

-- What was searched. No address, no member, no session: only the words, their language and the answer's size.
create table search_log (
    id bigint generated always as identity primary key,
    query text not null,
    lang text not null,
    hits integer not null,
    searched_at timestamptz not null default now(),
    constraint search_log_query_length check (length(query) between 2 and 69),
    constraint search_log_lang_known
        check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint search_log_hits_positive check (hits >= 0)
);
create index search_log_searched_at on search_log (searched_at);

-- The same by day: what is searched most is a sum over the last days of it, and the log can be pruned.
create table search_days (
    lang text not null,
    query text not null,
    day date not null,
    searches integer not null,
    -- Results of the latest search that day; a query that finds nothing is never suggested.
    hits integer not null,
    primary key (lang, query, day)
);
create index search_days_day on search_days (day);

create function search_log_count() returns trigger language plpgsql as $$
begin
    insert into search_days (lang, query, day, searches, hits)
    select lang, lower(query), (searched_at at time zone 'UTC')::date, count(*),
           (array_agg(hits order by id desc))[1]
    from changed group by 1, 2, 3 order by 1, 2, 3
    on conflict (lang, query, day)
    do update set searches = search_days.searches + excluded.searches, hits = excluded.hits;
    return null;
end $$;
create trigger search_log_count after insert on search_log referencing new table as changed
    for each statement execute function search_log_count();
