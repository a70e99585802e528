-- What a member changed in the own profile, until a person has looked: the member sees it, everybody else what was there before.
create sequence profile_revisions;
create table profile_reviews (
    user_id bigint not null references users on delete cascade,
    kind text not null,
    -- Counts over all members, so that nobody lets out what they did not see.
    revision bigint not null default nextval('profile_revisions'),
    -- Key of the picture.
    media_key text,
    -- New texts by their columns of `profiles`.
    texts jsonb,
    sent_at timestamptz not null default now(),
    primary key (user_id, kind),
    constraint profile_reviews_kind_known check (kind in ('avatar', 'cover', 'texts')),
    constraint profile_reviews_whole check (case kind when 'texts' then texts is not null and media_key is null
                                                      else media_key is not null and texts is null end)
);
create index profile_reviews_sent on profile_reviews (sent_at);
create index profile_reviews_picture on profile_reviews (media_key) where media_key is not null;

create function profile_reviews_print() returns trigger language plpgsql as $$
begin
    perform picture_print('user', new.user_id, new.media_key, null);
    return null;
end $$;
create trigger profile_reviews_print after insert or update of media_key on profile_reviews for each row
    when (new.media_key is not null) execute function profile_reviews_print();

-- Reports hide a profile: it isn't shown or listed, and its pictures are shown nowhere. `report_hides.before` has their keys.
alter table users add column hidden_at timestamptz;
alter table report_hides
    drop constraint report_hides_section_known,
    add constraint report_hides_section_known check (section in ('video', 'album', 'playlist', 'comment', 'wall', 'user'));

create or replace function visible_to(section text, object_id bigint, member_id bigint) returns boolean language sql stable as $$
    select case section
        when 'video' then exists (select from videos where id = object_id and (visible or user_id = member_id and status_id <> 5))
        when 'album' then exists (select from albums where id = object_id and (visible or user_id = member_id and status_id <> 5))
        when 'model' then exists (select from models where id = object_id)
        when 'channel' then exists (select from channels where id = object_id)
        when 'playlist' then exists (select from playlists p join users u on u.id = p.user_id
            where p.id = object_id and u.status_id <> 5 and (p.visibility = 'public' or p.user_id = member_id))
        when 'user' then exists (select from users
            where id = object_id and status_id <> 5 and email_confirmed_at is not null and hidden_at is null)
        else false end
$$;
create or replace view sitemap_pages as
select 'albums' as kind, id, dir, post_date as modified_at,
       (select media_key from photos where album_id = albums.id order by position limit 1) as picture_key
from albums where visible
union all
select 'playlists', p.id, '', i.added_at, null
from playlists p join users u on u.id = p.user_id
     join lateral (select max(l.added_at) as added_at from playlist_items l join videos v on v.id = l.video_id
                   where l.playlist_id = p.id and v.visible) i on i.added_at is not null
where p.visibility = 'public' and u.status_id <> 5
union all
select 'members', u.id, t.dir, null, null
from users u cross join lateral (select case
         when exists (select 1 from videos where user_id = u.id and visible) then ''
         when exists (select 1 from albums where user_id = u.id and visible) then 'albums/1/'
         when exists (select 1 from playlists where user_id = u.id and visibility = 'public') then 'playlists/1/'
         when exists (select 1 from profiles where user_id = u.id and
                      coalesce(about, '') || coalesce(city, '') || coalesce(interests, '') || coalesce(occupation, '')
                      ~ '\S') then 'info/'
     end as dir) t
where u.status_id <> 5 and u.email_confirmed_at is not null and u.hidden_at is null and t.dir is not null;
