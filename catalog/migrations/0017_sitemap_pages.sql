-- Pages of single objects that guests can open, besides videos and models, whose entries tell more.
create view sitemap_pages as
select 'albums' as kind, id, dir from albums where visible
union all
select 'playlists', p.id, '' from playlists p join users u on u.id = p.user_id
where p.visibility = 'public' and u.status_id <> 5
union all
select 'members', id, '' from users where status_id <> 5 and email_confirmed_at is not null;
