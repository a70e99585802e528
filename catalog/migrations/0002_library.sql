-- The library: what is watched, who performs in it, and how it is arranged.

create table categories (
    id bigint generated always as identity primary key,
    -- Part of URLs and of comma-separated lists in them, hence the narrow alphabet.
    dir text not null,
    position integer not null default 0,
    media_key text,
    shot smallint not null default 0,
    created_at timestamptz not null default now(),
    constraint categories_dir_key unique (dir),
    constraint categories_dir_format check (dir ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    constraint categories_shot_range check (shot between 0 and 9)
);

create table category_titles (
    category_id bigint not null references categories on delete cascade,
    lang text not null,
    title text not null,
    primary key (category_id, lang),
    -- Two chips with one text could not be told apart.
    constraint category_titles_title_key unique (lang, title),
    constraint category_titles_lang_known
        check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint category_titles_length check (length(title) between 1 and 100)
);

create table models (
    id bigint generated always as identity primary key,
    dir text not null,
    title text not null,
    -- Other names and scripts (kanji, kana, Latin) the same performer is searched by.
    aliases text[] not null default '{}',
    gender text not null,
    birth_date date not null,
    country text,
    race text,
    hair_color text,
    tits_size text,
    height smallint,
    weight smallint,
    tattoo text,
    piercing text,
    about text,
    picture_key text,
    created_at timestamptz not null default now(),
    constraint models_dir_key unique (dir),
    constraint models_dir_format check (dir ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    constraint models_title_length check (length(title) between 1 and 100),
    constraint models_gender_known check (gender in ('str', 'she', 'gay')),
    -- The record of a performer who is not an adult on the day it is made can't be made.
    constraint models_adult_at_creation
        check (birth_date <= (created_at at time zone 'UTC')::date - interval '18 years'),
    constraint models_country_format check (country ~ '^[A-Z]{2}$'),
    constraint models_race_known
        check (race in ('asian', 'black', 'indian', 'latin', 'middle_eastern', 'mixed', 'white')),
    constraint models_hair_color_known
        check (hair_color in ('black', 'blonde', 'brown', 'red', 'gray', 'colored')),
    constraint models_tits_size_known check (tits_size in ('small', 'medium', 'large', 'very_large')),
    constraint models_tattoo_known check (tattoo in ('yes', 'no')),
    constraint models_piercing_known check (piercing in ('yes', 'no')),
    constraint models_height_range check (height between 100 and 250),
    constraint models_weight_range check (weight between 30 and 250)
);

create table channels (
    id bigint generated always as identity primary key,
    dir text not null,
    title text not null,
    url text not null,
    -- Sponsor banner image shown under the player, and the sponsor's own video-ad mark.
    cf1 text,
    vda text,
    country text,
    picture_key text,
    created_at timestamptz not null default now(),
    constraint channels_dir_key unique (dir),
    constraint channels_dir_format check (dir ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    constraint channels_country_format check (country ~ '^[A-Z]{2}$')
);

create table videos (
    id bigint generated always as identity primary key,
    dir text not null,
    title text not null,
    -- Language of title and description; others are in video_translations.
    lang text not null,
    description text not null default '',
    gender text not null,
    -- Seconds.
    duration integer not null,
    -- 1 active, 2 awaiting moderation, 3 processing, 4 rejected, 5 deleted (the specification's number).
    status_id smallint not null default 1,
    is_private boolean not null default false,
    -- The one place that says who guests can see; everything else reads this column.
    visible boolean not null generated always as (status_id = 1 and not is_private) stored,
    is_hd boolean not null default false,
    is_uncensored boolean not null default false,
    -- Folder of the rendered files and which of its ten screenshots is the picture; NULL while processing.
    media_key text,
    shot smallint not null default 0,
    -- Storage group, and the source a video was taken over from.
    sg_id integer not null default 0,
    ex_tube text,
    ex_id text,
    -- A video outlives its uploader's account unless moderation deletes it.
    user_id bigint references users on delete set null,
    channel_id bigint references channels on delete set null,
    post_date timestamptz not null default now(),
    -- When a deleted video comes back by itself (owner's action 4).
    readd_at timestamptz,
    created_at timestamptz not null default now(),
    constraint videos_dir_format check (dir ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    constraint videos_title_length check (length(title) between 1 and 300),
    constraint videos_description_length check (length(description) <= 5000),
    constraint videos_lang_known check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint videos_gender_known check (gender in ('str', 'she', 'gay')),
    constraint videos_duration_range check (duration between 1 and 86400),
    constraint videos_status_known check (status_id between 1 and 5),
    constraint videos_shot_range check (shot between 0 and 9),
    constraint videos_source_key unique (ex_tube, ex_id)
);
create index videos_user on videos (user_id);
create index videos_channel on videos (channel_id) where channel_id is not null;
create index videos_readd on videos (readd_at) where readd_at is not null;

create table video_translations (
    video_id bigint not null references videos on delete cascade,
    lang text not null,
    title text not null,
    description text not null default '',
    primary key (video_id, lang),
    constraint video_translations_lang_known
        check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint video_translations_title_length check (length(title) between 1 and 300),
    constraint video_translations_description_length check (length(description) <= 5000)
);

-- Link tables: the primary key reads one video's links, the second index one category's or model's videos.
create table video_categories (
    video_id bigint not null references videos on delete cascade,
    category_id bigint not null references categories on delete cascade,
    primary key (video_id, category_id)
);
create index video_categories_category on video_categories (category_id, video_id);

create table video_models (
    video_id bigint not null references videos on delete cascade,
    model_id bigint not null references models on delete cascade,
    primary key (video_id, model_id)
);
create index video_models_model on video_models (model_id, video_id);

create table albums (
    id bigint generated always as identity primary key,
    dir text not null,
    title text not null,
    lang text not null,
    description text not null default '',
    gender text not null,
    status_id smallint not null default 1,
    is_private boolean not null default false,
    visible boolean not null generated always as (status_id = 1 and not is_private) stored,
    user_id bigint references users on delete set null,
    post_date timestamptz not null default now(),
    created_at timestamptz not null default now(),
    constraint albums_dir_format check (dir ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    constraint albums_title_length check (length(title) between 1 and 300),
    constraint albums_lang_known check (lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint albums_gender_known check (gender in ('str', 'she', 'gay')),
    constraint albums_status_known check (status_id between 1 and 5)
);
create index albums_user on albums (user_id);

create table photos (
    id bigint generated always as identity primary key,
    album_id bigint not null references albums on delete cascade,
    position integer not null,
    media_key text not null,
    -- Pixels of the original.
    width integer not null,
    height integer not null,
    -- Deferrable, so that two pictures can change places in one transaction.
    constraint photos_position_key unique (album_id, position) deferrable initially immediate,
    constraint photos_size_positive check (width > 0 and height > 0)
);

create table album_categories (
    album_id bigint not null references albums on delete cascade,
    category_id bigint not null references categories on delete cascade,
    primary key (album_id, category_id)
);
create index album_categories_category on album_categories (category_id);

create table album_models (
    album_id bigint not null references albums on delete cascade,
    model_id bigint not null references models on delete cascade,
    primary key (album_id, model_id)
);
create index album_models_model on album_models (model_id);

create table playlists (
    id bigint generated always as identity primary key,
    user_id bigint not null references users on delete cascade,
    title text not null,
    description text not null,
    -- One word inside; the forms' reversed 0/1 flags are translated at the edge.
    visibility text not null default 'public',
    orientation text not null default 'str',
    created_at timestamptz not null default now(),
    constraint playlists_title_length check (length(title) between 3 and 100),
    constraint playlists_description_length check (length(description) between 5 and 500),
    constraint playlists_visibility_known check (visibility in ('public', 'private')),
    constraint playlists_orientation_known check (orientation in ('str', 'she', 'gay'))
);
create index playlists_user on playlists (user_id);

create table playlist_items (
    playlist_id bigint not null references playlists on delete cascade,
    video_id bigint not null references videos on delete cascade,
    position integer not null,
    added_at timestamptz not null default now(),
    primary key (playlist_id, video_id),
    constraint playlist_items_position_key unique (playlist_id, position) deferrable initially immediate
);
create index playlist_items_video on playlist_items (video_id);
