-- Captions are searched by their lines, so a change of them reaches the index like one of the video.
create trigger captions_outbox_insert after insert on captions referencing new table as changed
    for each statement execute function outbox_mark('video', 'video_id');
create trigger captions_outbox_delete after delete on captions referencing old table as changed
    for each statement execute function outbox_mark('video', 'video_id');
create trigger captions_outbox_update after update on captions referencing old table as before new table as after
    for each statement execute function outbox_mark_update('is_of_film,created_at', 'video', 'video_id');
create trigger captions_outbox_truncate before truncate on captions
    for each statement execute function outbox_mark_truncate('select ''video'', video_id from captions');

-- Number of cues. A rebuild of the index needs it for all tracks, and would otherwise read them all.
alter table captions add column lines integer not null generated always as (jsonb_array_length(cues)) stored;
