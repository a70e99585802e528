-- People, albums, playlists and what members write, each derived from its number. Member 39 is banned, 40 never confirmed.

update users set email_confirmed_at = to_timestamp(1780000000), created_at = to_timestamp(1780000000) where id <= 2;
insert into users (username, email, status_id, avatar_key, email_confirmed_at, created_at)
select 'member-' || lpad(n::text, 2, '0'), 'm' || n || '@example.org', case when n = 39 then 5 else 1 end,
       case when n % 3 > 0 then 'demo/pictures/0' || n % 10 end, case when n <> 40 then to_timestamp(1788000000) end,
       to_timestamp(1790000000 - n * 86400)
from generate_series(3, 40) n;
insert into profiles (user_id, gender, birth_date, relationship, orientation, education, website, about, city, country, interests, occupation)
select n, (array['male', 'female', 'trans', 'couple'])[n % 4 + 1], date '1970-03-10' + n * 321,
       (array['single', 'in_relationship', 'married', 'open', 'complicated'])[n % 5 + 1],
       (array['straight', 'gay', 'lesbian', 'bisexual'])[n / 2 % 4 + 1], 'Evening classes', 'https://m' || n || '.example/',
       'About ' || n, 'Town ' || n, (array['JP', 'DE', 'US'])[n % 3 + 1], 'Lanterns', 'Baker'
from generate_series(1, 40) n where n % 10 > 0;
update user_stats set viewed = user_id * 17 % 103;

insert into albums (dir, title, lang, description, gender, status_id, is_private, user_id, post_date)
select 'album-' || n, 'Paper lanterns ' || n, 'en', 'Twelve evenings, number ' || n,
       (array['str', 'str', 'str', 'she', 'gay'])[n % 5 + 1], case when n % 20 = 0 then 5 when n = 13 then 2 else 1 end,
       n % 11 = 0, n % 3 + 1, to_timestamp(1790000000 - n * 40000)
from generate_series(1, 60) n;
insert into photos (album_id, position, media_key, width, height)
select n, p, 'demo/pictures/' || lpad(((n + p) % 48)::text, 2, '0'), 1280, 960 from generate_series(1, 60) n, generate_series(1, 5) p where p <= n % 5 + 1;
insert into album_categories (album_id, category_id)
select n, n % 6 + 1 from generate_series(1, 60) n union select n, n / 2 % 6 + 1 from generate_series(1, 60) n;
insert into album_models (album_id, model_id) select n, n % 11 + 1 from generate_series(1, 60) n;
update album_stats set viewed = album_id * 31 % 97, likes = album_id * 7 % 13, dislikes = album_id % 5;

insert into playlists (user_id, title, description, visibility, orientation, created_at)
select case when n = 30 then 39 else n % 3 + 1 end, 'Evening ' || n, 'To unwind, number ' || n,
       case when n % 7 = 0 then 'private' else 'public' end, (array['str', 'str', 'she', 'str', 'gay'])[n % 5 + 1],
       to_timestamp(1790000000 - n * 50000)
from generate_series(1, 30) n;
insert into playlist_items (playlist_id, video_id, position)
select n, (n * 7 + i * 77) % 300 + 1, i from generate_series(1, 28) n, generate_series(1, 40) i where i <= n * 9 % 40 + 1;
update playlist_stats set viewed = playlist_id * 29 % 89, likes = playlist_id * 3 % 11, dislikes = playlist_id % 4;

insert into comments (section, object_id, user_id, body, created_at)
select 'video', 21, n + 3, 'Comment number ' || n, to_timestamp(1789000000 + n) from generate_series(1, 36) n;
insert into comments (section, object_id, user_id, body, deleted_at)
select section, object_id, 4, 'Moderated away', now() from (values ('video', 21), ('model', 1), ('album', 1), ('playlist', 1)) o(section, object_id);
insert into comments (section, object_id, user_id, body, created_at)
select section, object_id, 5, 'On ' || section, to_timestamp(1789500000)
from (values ('video', 41), ('video', 50), ('album', 1), ('album', 11), ('album', 20), ('playlist', 1), ('playlist', 7), ('playlist', 30), ('model', 1)) o(section, object_id);
insert into comments (section, object_id, user_id, body, created_at)
select 'model', 2, n % 30 + 1, 'Applause ' || n, to_timestamp(1789000000 + n) from generate_series(1, 25) n;

insert into walls (user_id, author_id, body, created_at)
select 3, n, 'Greetings from ' || n, to_timestamp(1789000000 + n) from generate_series(4, 40) n;
update walls set deleted_at = now() where author_id = 10;

insert into friends (user_id, friend_id, state, accepted_at)
select case when n % 2 = 0 then 3 else n end, case when n % 2 = 0 then n else 3 end,
       case when n % 5 = 0 then 'requested' else 'accepted' end, case when n % 5 > 0 then to_timestamp(1789000000 + n / 4) end
from generate_series(4, 40) n;

insert into subscriptions (user_id, section, object_id, created_at)
select 3, 'model', n, to_timestamp(1788000000 + n * 100) from generate_series(1, 12) n
union all select 3, 'user', n, to_timestamp(1788000050 + n * 100) from generate_series(4, 40) n
union all select 3, 'channel', 1, to_timestamp(1788000025);
