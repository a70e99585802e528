-- 300 videos whose properties are all derived from their number, so that a test can compute in SQL what it expects.
-- 1_790_000_000 is the tests' "now".

insert into categories (dir, position, media_key, shot)
select dir, at, 'demo/0' || at, at from unnest(array['travel', 'dance', 'city', 'light', 'music', 'yoga']) with ordinality c(dir, at);
insert into category_titles (category_id, lang, title)
select c.id, t.lang, t.title from (values
    ('travel', 'Travel', 'Путешествия', '旅行'), ('dance', 'Dance', 'Танцы', 'ダンス'), ('city', 'City', 'Город', '都市'),
    ('light', 'Light', 'Свет', '光'), ('music', 'Music', 'Музыка', '音楽'), ('yoga', 'Yoga', 'Йога', 'ヨガ')
) as n(dir, en, ru, ja) join categories c using (dir), lateral (values ('en', n.en), ('ru', n.ru), ('ja', n.ja)) t(lang, title);

insert into models (dir, title, aliases, gender, birth_date, country, race, hair_color, tits_size, height, weight, tattoo, piercing, about, picture_key)
select lower(replace(name, ' ', '-')), name, array['別名' || at], (array['str', 'str', 'she', 'gay'])[at % 4 + 1],
       date '1980-01-15' + (at::integer * 400), (array['JP', 'US', 'DE'])[at % 3 + 1],
       (array['asian', 'latin', 'white'])[at % 3 + 1], (array['black', 'blonde'])[at % 2 + 1],
       (array['small', 'medium', 'large'])[at % 3 + 1], 150 + at, 45 + at,
       (array['yes', 'no'])[at % 2 + 1], (array['no', 'yes'])[at % 2 + 1], 'About ' || name, 'demo/pictures/0' || at % 10
from unnest(array['Mika Sato', 'Anna Lind', 'Yuki Mori', 'Carla Ruiz', 'Hana Abe', 'Nina Wolf', 'Rei Kato', 'Zoe Hart', 'Kai Ono',
    'Leo Marsh', 'Sora Ito', 'Max Berg']) with ordinality m(name, at);
update model_stats set viewed = model_id * 13 % 101, subscribers = model_id * 7 % 19;

insert into users (username, email) values ('uploader', 'uploader@example.org'), ('other', 'other@example.org');
insert into channels (dir, title, url, cf1) values ('north', 'North', 'https://north.example/', 'demo/pictures/01');

insert into videos (dir, title, lang, description, gender, duration, status_id, is_private, is_hd, is_uncensored, media_key, shot,
                    user_id, channel_id, post_date, spoken)
select 'video-' || n,
       (array['Night market walk', 'Harbour lights', 'Rooftop dance', 'Quiet garden', 'Neon <city> & rain'])[n % 5 + 1] || ' ' || n,
       'en', 'Filmed in one take, number ' || n, (array['gay', 'str', 'str', 'str', 'str', 'str', 'str', 'str', 'she', 'she'])[n % 10 + 1],
       120 + n * 37 % 3600, case when n % 50 = 0 then 5 when n % 47 = 0 then 2 else 1 end, n % 41 = 0, n % 2 = 0, n % 3 = 0,
       'demo/' || lpad((n % 12)::text, 2, '0'), n % 10, n % 2 + 1, case when n % 5 = 0 then 1 end,
       to_timestamp(1790000000 - n * 25000), (array['en', 'ja', 'de'])[n % 4]
from generate_series(1, 300) n;
insert into video_translations (video_id, lang, title, description)
select n, 'ru', 'Ночной рынок ' || n, 'Снято одним кадром' from generate_series(4, 300, 4) n;
insert into video_translations (video_id, lang, title)
select n, 'ja', '箱根温泉の夏旅行' || n from generate_series(5, 300, 5) n;
insert into video_categories (video_id, category_id)
select n, n % 6 + 1 from generate_series(1, 300) n union select n, n / 2 % 6 + 1 from generate_series(1, 300) n;
insert into video_models (video_id, model_id)
select n, n % 12 + 1 from generate_series(1, 300) n where n % 7 > 0 union select n, n / 3 % 12 + 1 from generate_series(1, 300, 4) n;
update video_stats set viewed = video_id * 7919 % 10007, viewed_day = video_id * 31 % 17, viewed_week = video_id * 37 % 101,
    viewed_month = video_id * 41 % 503, likes = video_id * 11 % 23, dislikes = video_id % 7, comments = video_id * 3 % 31;

insert into view_countries (country, video_id, viewed)
select 'JP', n, n * 13 % 211 + 1 from generate_series(2, 300, 2) n union all select 'DE', n, n from generate_series(3, 300, 3) n;

insert into search_days (query, lang, day, searches, hits, zero_hits)
select q, l, (now() at time zone 'UTC')::date, n, hits, case when hits = 0 then n else 0 end
from (values ('night market', 'en', 7, 60), ('harbour', 'en', 5, 58), ('nothing at all', 'en', 6, 0), ('温泉', 'ja', 5, 60), ('rare', 'en', 4, 9)) s(q, l, n, hits);
