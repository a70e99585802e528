-- Names of a model by language, each in its script and with its order of family and given name. Where a language has no name, the title is
-- shown.
create table model_names (
    model_id bigint not null references models on delete cascade,
    lang text not null,
    name text not null,
    primary key (model_id, lang),
    constraint model_names_lang_known
        check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint model_names_length check (length(name) between 1 and 100)
);

-- For queries: all names of a model, and the name that a visitor reads.
create function model_names_of(of_model bigint) returns jsonb language sql stable as $$
    select coalesce(jsonb_object_agg(lang, name), '{}') from model_names where model_id = of_model
$$;

create function model_title(of_model models, in_lang text) returns text language sql stable as $$
    select coalesce((select name from model_names where model_id = of_model.id and lang = in_lang), of_model.title)
$$;

-- A changed name changes the model, and the videos and albums that show it or are found by it.
create trigger model_names_outbox_insert after insert on model_names referencing new table as changed
    for each statement execute function outbox_mark('model', 'model_id');
create trigger model_names_outbox_delete after delete on model_names referencing old table as changed
    for each statement execute function outbox_mark('model', 'model_id');
create trigger model_names_outbox_update after update on model_names
    referencing old table as before new table as after
    for each statement execute function outbox_mark_update('', 'model', 'model_id');

create function outbox_mark_model_objects(ids bigint[]) returns void language sql as $$
    insert into outbox_derived_for_all (entity, entity_id)
    select distinct 'video', video_id from video_models where model_id = any (ids)
    union all
    select distinct 'album', album_id from album_models where model_id = any (ids);
$$;

create function model_names_outbox_objects() returns trigger language plpgsql as $$
begin
    perform outbox_mark_model_objects((select array_agg(distinct model_id) from changed));
    return null;
end $$;
create trigger model_names_outbox_objects_insert after insert on model_names
    referencing new table as changed for each statement execute function model_names_outbox_objects();
create trigger model_names_outbox_objects_delete after delete on model_names
    referencing old table as changed for each statement execute function model_names_outbox_objects();

create function model_names_outbox_objects_renamed() returns trigger language plpgsql as $$
begin
    perform outbox_mark_model_objects((select array_agg(distinct model_id) from (
        (select * from before except select * from after) union all (select * from after except select * from before)) d));
    return null;
end $$;
create trigger model_names_outbox_objects_update after update on model_names
    referencing old table as before new table as after
    for each statement execute function model_names_outbox_objects_renamed();

create trigger model_names_outbox_truncate before truncate on model_names
    for each statement execute function outbox_mark_truncate(
        'select ''model'', model_id from model_names',
        'select ''video'', l.video_id from model_names n join video_models l using (model_id)
         union all
         select ''album'', l.album_id from model_names n join album_models l using (model_id)');
