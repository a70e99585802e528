-- Files are served while an object that shows them may be seen. Which one that is, every node remembers; so it is told at the commit
-- that takes it away, by the channel nodes hear of changes on anyway, and not only once the index has followed: that may be down.
-- A notifying commit takes a lock that all of them share, so only what was shown and is no more notifies: few statements.

-- Every node: nobody is called so, so nobody is deaf for it.
create function media_tell(told text) returns void language sql as $$
    select pg_notify('lantern_changes', '00000000-0000-0000-0000-000000000000' || told)
$$;

-- Arguments: entity, the column with its id, what a row shows (NULL where nothing is shown).
create function media_removed() returns trigger language plpgsql as $$
declare
    -- Each part is below the 8,000 bytes of a notification; more than that many at once is told as "everything".
    named constant integer := 250;
    most constant integer := 16384;
    gone bigint[];
    now_shown text := '';
begin
    if tg_op = 'UPDATE' then
        now_shown := format('except select id, %1$I, %2$s from after', tg_argv[1], tg_argv[2]);
    end if;
    execute format('select array_agg(distinct object) from (select id, %1$I, %2$s from before %3$s) d(id, object, shown)
        where shown is not null and object is not null', tg_argv[1], tg_argv[2], now_shown) into gone;
    if gone is null then
        return null;
    end if;
    if tg_argv[0] = 'channel' or cardinality(gone) > most then
        -- Channels are no entity that changes can name, and seldom change.
        perform media_tell(' *');
    else
        perform media_tell(told) from (
            select string_agg(' ' || tg_argv[0] || ':' || id, '') as told
            from unnest(gone) with ordinality o(id, at) group by (at - 1) / named
        ) parts;
    end if;
    perform purges_add(array(select tg_argv[0] || '-' || id from unnest(gone) id));
    return null;
end $$;

-- (table, entity, column with its id, what a row shows)
do $$
declare t record;
begin
    for t in select * from (values
        ('videos',     'video',    'id',       'case when visible then media_key end'),
        ('albums',     'album',    'id',       'case when visible then true end'),
        ('photos',     'album',    'album_id', 'media_key'),
        ('models',     'model',    'id',       'picture_key'),
        ('channels',   'channel',  'id',       'nullif(row(picture_key, cf1)::text, ''(,)'')'),
        ('categories', 'category', 'id',       'media_key || ''/'' || shot'),
        ('users',      'user',     'id',
            'case when status_id <> 5 and email_confirmed_at is not null then nullif(row(avatar_key, cover_key)::text, ''(,)'') end')
    ) as v(name, entity, object, shown) loop
        execute format('create trigger %1$s_media_update after update on %1$I
            referencing old table as before new table as after
            for each statement execute function media_removed(%2$L, %3$L, %4$L)', t.name, t.entity, t.object, t.shown);
        execute format('create trigger %1$s_media_delete after delete on %1$I referencing old table as before
            for each statement execute function media_removed(%2$L, %3$L, %4$L)', t.name, t.entity, t.object, t.shown);
    end loop;
end $$;

-- Who shows a file. Of a folder that many share, the first that may be shown is enough.
create index videos_media_shown on videos (media_key, id) where visible and media_key is not null;
create index videos_media_hidden on videos (media_key) where not visible and media_key is not null;
create index photos_media on photos (media_key);
create index models_picture on models (picture_key) where picture_key is not null;
create index users_avatar on users (avatar_key) where avatar_key is not null;
create index users_cover on users (cover_key) where cover_key is not null;
