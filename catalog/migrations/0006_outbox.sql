-- The outbox: which objects the index must re-read. Rows carry only a key and are written by triggers in the
-- transaction of the change, so no code path, and no hand typing SQL, can forget one.
--
-- Statement-level triggers with transition tables write one insert … select distinct per statement, however
-- many rows it touched. Bulk loads switch them off with session_replication_role = replica and rebuild after.

create table outbox (
    id bigint generated always as identity primary key,
    entity text not null,
    entity_id bigint not null,
    -- clock_timestamp, so that the lag of a row isn't counted from the start of a long transaction.
    created_at timestamptz not null default clock_timestamp(),
    claimed_until timestamptz,
    attempts integer not null default 0,
    -- Why this row is set aside; NULL for rows on their way.
    parked text,
    constraint outbox_entity_known check (entity in ('video', 'album', 'model', 'category', 'playlist', 'user'))
) with (
    -- A queue is all dead rows soon; vacuum it early instead of at a fifth of its size.
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_insert_scale_factor = 0.1
);
create index outbox_waiting on outbox (id) where parked is null;
create index outbox_parked on outbox (id) where parked is not null;

-- Rows that came or went. Arguments: pairs of entity and the column holding its id.
create function outbox_mark() returns trigger language plpgsql as $$
begin
    for i in 0 .. tg_nargs / 2 - 1 loop
        execute format('insert into outbox (entity, entity_id)
            select distinct %1$L, %2$I from changed where %2$I is not null', tg_argv[2 * i], tg_argv[2 * i + 1]);
    end loop;
    return null;
end $$;

-- Rows that really changed: as sets, before and after differ. Compared as JSON without the columns in the
-- first argument (comma-separated) that no document holds; the rest are pairs as in outbox_mark.
create function outbox_mark_update() returns trigger language plpgsql as $$
declare ignored text[] := string_to_array(tg_argv[0], ',');
begin
    for i in 0 .. (tg_nargs - 1) / 2 - 1 loop
        insert into outbox (entity, entity_id)
        select distinct tg_argv[2 * i + 1], (d.r ->> tg_argv[2 * i + 2])::bigint from (
            (select to_jsonb(b) - ignored as r from before b except select to_jsonb(a) - ignored from after a)
            union all
            (select to_jsonb(a) - ignored from after a except select to_jsonb(b) - ignored from before b)
        ) d
        where d.r ->> tg_argv[2 * i + 2] is not null;
    end loop;
    return null;
end $$;

-- (table, columns no document holds, entity and id column pairs)
do $$
declare
    t record;
    args text;
begin
    for t in select * from (values
        ('videos',             'readd_at,created_at',                       array['video', 'id']),
        ('video_translations', '',                                          array['video', 'video_id']),
        ('video_categories',   '',                array['video', 'video_id', 'category', 'category_id']),
        ('video_models',       '',                array['video', 'video_id', 'model', 'model_id']),
        ('albums',             'created_at',                                array['album', 'id']),
        ('photos',             '',                                          array['album', 'album_id']),
        ('album_categories',   '',                                          array['album', 'album_id']),
        ('album_models',       '',                                          array['album', 'album_id']),
        ('categories',         'created_at',                                array['category', 'id']),
        ('category_titles',    '',                                          array['category', 'category_id']),
        ('models',             '',                                          array['model', 'id']),
        ('playlists',          '',                          array['playlist', 'id']),
        ('playlist_items',     'added_at',                                  array['playlist', 'playlist_id']),
        ('users',              'email,password_hash,oidc_subject,cover_key,email_confirmed_at',
                                                                            array['user', 'id']),
        ('profiles',           'created_at',                                array['user', 'user_id'])
    ) as v(name, ignored, pairs) loop
        select string_agg(quote_literal(p), ', ') into args from unnest(t.pairs) p;
        execute format('create trigger %1$s_outbox_insert after insert on %1$I referencing new table as changed
            for each statement execute function outbox_mark(%2$s)', t.name, args);
        execute format('create trigger %1$s_outbox_delete after delete on %1$I referencing old table as changed
            for each statement execute function outbox_mark(%2$s)', t.name, args);
        execute format('create trigger %1$s_outbox_update after update on %1$I
            referencing old table as before new table as after
            for each statement execute function outbox_mark_update(%3$L, %2$s)', t.name, args, t.ignored);
    end loop;
end $$;

-- Totals of categories, models, playlists and uploaders count visible videos per gender, so they change when
-- a linked video appears, disappears, changes gender or uploader. (Rows of the link tables themselves, also
-- those removed by a hard DELETE's cascade, are seen by their own triggers above.)
create function videos_outbox_totals() returns trigger language plpgsql as $$
declare touched bigint[];
begin
    select array_agg(a.id) into touched
    from after a join before b using (id)
    where (a.visible, a.gender) is distinct from (b.visible, b.gender) and (a.visible or b.visible);

    if touched is not null then
        insert into outbox (entity, entity_id)
        select distinct 'category', category_id from video_categories where video_id = any (touched)
        union all
        select distinct 'model', model_id from video_models where video_id = any (touched)
        union all
        select distinct 'playlist', playlist_id from playlist_items where video_id = any (touched);
    end if;

    insert into outbox (entity, entity_id)
    select distinct 'user', u.user_id
    from after a join before b using (id), lateral (values (a.user_id), (b.user_id)) u(user_id)
    where (a.visible, a.user_id) is distinct from (b.visible, b.user_id) and u.user_id is not null;
    return null;
end $$;
create trigger videos_outbox_totals after update on videos
    referencing old table as before new table as after
    for each statement execute function videos_outbox_totals();

create function videos_outbox_uploader() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id)
    select distinct 'user', user_id from changed where visible and user_id is not null;
    return null;
end $$;
create trigger videos_outbox_uploader_insert after insert on videos referencing new table as changed
    for each statement execute function videos_outbox_uploader();
create trigger videos_outbox_uploader_delete after delete on videos referencing old table as changed
    for each statement execute function videos_outbox_uploader();

-- Names are copied into the documents of videos and albums, so renaming re-reads those too.
create function outbox_mark_category_objects(ids bigint[]) returns void language sql as $$
    insert into outbox (entity, entity_id)
    select distinct 'video', video_id from video_categories where category_id = any (ids)
    union all
    select distinct 'album', album_id from album_categories where category_id = any (ids);
$$;

create function categories_outbox_objects() returns trigger language plpgsql as $$
declare ids bigint[];
begin
    select array_agg(a.id) into ids from after a join before b using (id) where a.dir <> b.dir;
    if ids is not null then perform outbox_mark_category_objects(ids); end if;
    return null;
end $$;
create trigger categories_outbox_objects after update on categories
    referencing old table as before new table as after
    for each statement execute function categories_outbox_objects();

create function category_titles_outbox_objects() returns trigger language plpgsql as $$
begin
    perform outbox_mark_category_objects((select array_agg(distinct category_id) from changed));
    return null;
end $$;
create trigger category_titles_outbox_objects_insert after insert on category_titles
    referencing new table as changed for each statement execute function category_titles_outbox_objects();
create trigger category_titles_outbox_objects_update after update on category_titles
    referencing new table as changed for each statement execute function category_titles_outbox_objects();
create trigger category_titles_outbox_objects_delete after delete on category_titles
    referencing old table as changed for each statement execute function category_titles_outbox_objects();

create function models_outbox_objects() returns trigger language plpgsql as $$
declare ids bigint[];
begin
    select array_agg(a.id) into ids from after a join before b using (id)
    where (a.dir, a.title, a.aliases) is distinct from (b.dir, b.title, b.aliases);
    if ids is not null then
        insert into outbox (entity, entity_id)
        select distinct 'video', video_id from video_models where model_id = any (ids)
        union all
        select distinct 'album', album_id from album_models where model_id = any (ids);
    end if;
    return null;
end $$;
create trigger models_outbox_objects after update on models
    referencing old table as before new table as after
    for each statement execute function models_outbox_objects();
