-- Pages of single objects that show something to a guest, besides videos and models, whose entries tell more: when
-- they changed and their picture, where known. A member is led to by the first of the member's pages with something on
-- it, whose path after the member's is `dir`.
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
where u.status_id <> 5 and u.email_confirmed_at is not null and t.dir is not null;
