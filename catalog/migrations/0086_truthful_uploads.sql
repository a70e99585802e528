-- What members learn about their uploads, and what operators need to retry a film.
alter table videos
    -- Whether the film is silent because none of its audio tracks could be decoded.
    add column has_lost_audio boolean not null default false;
alter table uploads
    -- Whether the file of a failed upload is retained until `expires_at`, so that processing can be retried.
    add column is_kept boolean not null default false,
    add constraint uploads_kept_when_failed check (state = 'failed' or not is_kept);
alter table imports
    -- Why the film was refused: the code and the reason for operators. They outlive the upload, which expires.
    add column refused_code text,
    add column refused_why text,
    add constraint imports_refused_has_both check ((refused_code is null) = (refused_why is null));
update imports i set refused_code = u.error_code, refused_why = coalesce(j.last_error, '')
from uploads u left join jobs j on j.id = u.job_id
where u.id = i.upload_id and u.state = 'failed';

-- What became of each imported row.
create view import_states as
select i.source, i.source_id, i.imported_at, v.id as video_id, v.title, v.is_private, v.has_lost_audio, u.id as upload_id, u.job_id,
    case
        when v.status_id = published() then 'published'
        when v.status_id = in_review() then 'in_review'
        when v.status_id = draft() then 'no_film'
        when v.status_id = rejected() then 'rejected'
        when v.status_id = deleted() then 'deleted'
        when u.state = 'processing' and j.state = 'running' and j.claimed_until > clock_timestamp() then 'processing'
        when u.state in ('receiving', 'received', 'processing') then 'waiting'
        when i.refused_code is not null or u.state = 'failed' then 'refused'
        else 'gone'
    end as state,
    v.rejection,
    coalesce(i.refused_code, u.error_code) as refused_code,
    coalesce(i.refused_why, j.last_error) as refused_why,
    case when j.state = 'running' then j.payload->>'step' end as step,
    case when j.state = 'running' then (j.payload->>'percent')::integer end as percent,
    case when u.state = 'processing' and j.state = 'queued' and j.attempts > 0 then j.run_at end as retry_at,
    case when u.state = 'processing' and j.state = 'queued' and j.attempts > 0 then j.last_error end as last_error
from imports i
    left join uploads u on u.id = i.upload_id
    left join jobs j on j.id = u.job_id
    left join videos v on v.id = coalesce(i.video_id, u.video_id);
