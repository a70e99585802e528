-- TRUNCATE fires neither row triggers nor those with transition tables, so the outbox heard nothing of it. All BEFORE TRUNCATE triggers
-- of a statement, those of tables it cascades to included, run before the first table is emptied: each marks what its rows belong to.

-- Arguments: a query for (entity, id) of what holds the table's rows; optionally one for what only shows a name out of them.
create function outbox_mark_truncate() returns trigger language plpgsql as $$
begin
    execute 'insert into outbox_for_all (entity, entity_id)
        select distinct entity, id from (' || tg_argv[0] || ') m(entity, id) where id is not null';
    if tg_nargs > 1 then
        execute 'insert into outbox_derived_for_all (entity, entity_id)
            select distinct entity, id from (' || tg_argv[1] || ') m(entity, id) where id is not null';
    end if;
    return null;
end $$;

do $$
declare t record;
begin
    for t in select * from (values
        ('videos',             'select ''video'', id from videos union all select ''user'', user_id from videos', null),
        ('video_translations', 'select ''video'', video_id from video_translations', null),
        ('video_categories',   'select ''video'', video_id from video_categories
                                union all select ''category'', category_id from video_categories', null),
        ('video_models',       'select ''video'', video_id from video_models
                                union all select ''model'', model_id from video_models', null),
        ('video_stats',        'select ''video'', video_id from video_stats', null),
        ('albums',             'select ''album'', id from albums', null),
        ('photos',             'select ''album'', album_id from photos', null),
        ('album_categories',   'select ''album'', album_id from album_categories', null),
        ('album_models',       'select ''album'', album_id from album_models', null),
        ('album_stats',        'select ''album'', album_id from album_stats', null),
        ('categories',         'select ''category'', id from categories', null),
        ('category_titles',    'select ''category'', category_id from category_titles',
                               'select ''video'', l.video_id from category_titles t join video_categories l using (category_id)
                                union all
                                select ''album'', l.album_id from category_titles t join album_categories l using (category_id)'),
        ('models',             'select ''model'', id from models', null),
        ('model_stats',        'select ''model'', model_id from model_stats', null),
        ('playlists',          'select ''playlist'', id from playlists', null),
        ('playlist_items',     'select ''playlist'', playlist_id from playlist_items', null),
        ('playlist_stats',     'select ''playlist'', playlist_id from playlist_stats', null),
        ('users',              'select ''user'', id from users', null),
        ('profiles',           'select ''user'', user_id from profiles', null),
        ('user_stats',         'select ''user'', user_id from user_stats', null),
        -- No documents are made of these; finished answers show them.
        ('comments',           'select section, object_id from comments', null),
        ('walls',              'select ''user'', user_id from walls', null),
        ('friends',            'select ''user'', user_id from friends union all select ''user'', friend_id from friends', null),
        ('subscriptions',      'select ''user'', user_id from subscriptions', null)
    ) as v(name, held, shown) loop
        execute format('create trigger %1$s_outbox_truncate before truncate on %1$I
            for each statement execute function outbox_mark_truncate(%2$s)',
            t.name, concat_ws(', ', quote_literal(t.held), quote_literal(t.shown)));
    end loop;
end $$;

-- Files are served while something that may be seen shows them, and every node remembers what does: nodes hear of a TRUNCATE, too.
create function media_truncated() returns trigger language plpgsql as $$
begin
    perform media_tell(' *');
    execute format('select purges_add(array(select %L || ''-'' || %I from %I where %I is not null))',
        tg_argv[0], tg_argv[1], tg_table_name, tg_argv[1]);
    return null;
end $$;

do $$
declare t record;
begin
    for t in select * from (values
        ('videos', 'video', 'id'), ('albums', 'album', 'id'), ('photos', 'album', 'album_id'), ('models', 'model', 'id'),
        ('channels', 'channel', 'id'), ('categories', 'category', 'id'), ('users', 'user', 'id')
    ) as v(name, entity, object) loop
        execute format('create trigger %1$s_media_truncate before truncate on %1$I
            for each statement execute function media_truncated(%2$L, %3$L)', t.name, t.entity, t.object);
    end loop;
end $$;
