-- Words that mean the same, in one language or two: what titles and their translations teach, what the program brings along, and
-- what operators say. Searches that find little are asked for with them (ADR 59).
create table meanings (
    lang text not null,
    word text not null,
    other_lang text not null,
    other text not null,
    kind text not null,
    origin text not null,
    -- How sure it is that one means the other, up to 1.
    weight real not null default 1,
    -- An operator's no: neither used nor learned again.
    refused boolean not null default false,
    primary key (lang, word, other_lang, other),
    constraint meanings_langs_known check (
        lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')
        and other_lang in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl')),
    constraint meanings_words_length check (length(word) between 1 and 69 and length(other) between 1 and 69),
    constraint meanings_kind_known check (kind in ('translation', 'synonym', 'spelling')),
    constraint meanings_origin_known check (origin in ('learned', 'shipped', 'operator')),
    constraint meanings_weight_share check (weight > 0 and weight <= 1),
    -- Both directions are one row.
    constraint meanings_ordered
        check ((lang collate "C", word collate "C") < (other_lang collate "C", other collate "C"))
);
comment on table meanings is
    'Words that mean the same. Rows of operators stay as they are; learned ones are replaced whenever titles are read.';

-- When it changed for the last time, for the nodes that hold it in memory.
create table meanings_change (
    single boolean primary key default true constraint meanings_change_single check (single),
    changed_at timestamptz not null default clock_timestamp()
);
insert into meanings_change default values;
create function meanings_changed() returns trigger language plpgsql as $$
begin
    update meanings_change set changed_at = clock_timestamp();
    return null;
end $$;
create trigger meanings_changed after insert or update or delete or truncate on meanings
    for each statement execute function meanings_changed();

-- A small beginning, of words that mean the same wherever they stand.
insert into meanings (lang, word, other_lang, other, kind, origin)
select case when turned then lang_b else lang_a end, case when turned then b else a end,
       case when turned then lang_a else lang_b end, case when turned then a else b end, kind, 'shipped'
from (values
    ('synonym', 'en', 'coffee shop', 'en', 'café'),
    ('synonym', 'en', 'film', 'en', 'movie'),
    ('synonym', 'en', 'holiday', 'en', 'vacation'),
    ('synonym', 'en', 'trip', 'en', 'journey'),
    ('synonym', 'en', 'walk', 'en', 'stroll'),
    ('synonym', 'en', 'autumn', 'en', 'fall'),
    ('synonym', 'en', 'subway', 'en', 'underground'),
    ('synonym', 'en', 'hot spring', 'en', 'thermal spring'),
    ('spelling', 'en', 'grey', 'en', 'gray'),
    ('spelling', 'en', 'colour', 'en', 'color'),
    ('spelling', 'en', 'theatre', 'en', 'theater'),
    ('spelling', 'en', 'harbour', 'en', 'harbor'),
    ('synonym', 'ru', 'пианино', 'ru', 'фортепиано'),
    ('synonym', 'ru', 'рояль', 'ru', 'фортепиано'),
    ('synonym', 'ru', 'кафе', 'ru', 'кофейня'),
    ('synonym', 'ru', 'фильм', 'ru', 'кино'),
    ('synonym', 'ru', 'поездка', 'ru', 'путешествие'),
    ('synonym', 'de', 'Flügel', 'de', 'Klavier'),
    ('synonym', 'de', 'Piano', 'de', 'Klavier'),
    ('synonym', 'de', 'Fotografie', 'de', 'Foto'),
    ('synonym', 'de', 'Urlaub', 'de', 'Ferien'),
    ('synonym', 'de', 'Spaziergang', 'de', 'Bummel'),
    ('synonym', 'de', 'Therme', 'de', 'heiße Quelle'),
    ('spelling', 'de', 'Fotografie', 'de', 'Photographie'),
    ('synonym', 'fr', 'balade', 'fr', 'promenade'),
    ('synonym', 'fr', 'bistrot', 'fr', 'café'),
    ('synonym', 'es', 'cafetería', 'es', 'café'),
    ('synonym', 'es', 'coche', 'es', 'auto'),
    ('synonym', 'pl', 'pianino', 'pl', 'fortepian'),
    ('synonym', 'pl', 'kafejka', 'pl', 'kawiarnia'),
    ('synonym', 'pl', 'spacer', 'pl', 'przechadzka'),
    ('synonym', 'it', 'piano', 'it', 'pianoforte'),
    ('synonym', 'it', 'bar', 'it', 'caffè'),
    ('synonym', 'pt', 'cafeteria', 'pt', 'café'),
    ('spelling', 'pt', 'trem', 'pt', 'comboio'),
    ('synonym', 'nl', 'vleugel', 'nl', 'piano'),
    ('synonym', 'nl', 'koffiehuis', 'nl', 'café'),
    ('synonym', 'ja', '喫茶店', 'ja', 'カフェ'),
    ('synonym', 'ja', '喫茶', 'ja', 'カフェ'),
    ('synonym', 'ja', '映画', 'ja', 'ムービー'),
    ('translation', 'en', 'piano', 'ru', 'фортепиано'),
    ('translation', 'en', 'piano', 'de', 'Klavier'),
    ('translation', 'en', 'piano', 'fr', 'piano'),
    ('translation', 'en', 'piano', 'es', 'piano'),
    ('translation', 'en', 'piano', 'pl', 'fortepian'),
    ('translation', 'en', 'piano', 'it', 'pianoforte'),
    ('translation', 'en', 'piano', 'pt', 'piano'),
    ('translation', 'en', 'piano', 'ja', 'ピアノ'),
    ('translation', 'en', 'piano', 'nl', 'piano'),
    ('translation', 'en', 'café', 'ru', 'кафе'),
    ('translation', 'en', 'café', 'de', 'Café'),
    ('translation', 'en', 'café', 'fr', 'café'),
    ('translation', 'en', 'café', 'es', 'café'),
    ('translation', 'en', 'café', 'pl', 'kawiarnia'),
    ('translation', 'en', 'café', 'it', 'caffè'),
    ('translation', 'en', 'café', 'pt', 'café'),
    ('translation', 'en', 'café', 'ja', 'カフェ'),
    ('translation', 'en', 'café', 'nl', 'café'),
    ('spelling', 'en', 'Tokyo', 'de', 'Tokio'),
    ('spelling', 'en', 'Tokyo', 'es', 'Tokio'),
    ('spelling', 'en', 'Tokyo', 'pl', 'Tokio'),
    ('spelling', 'en', 'Tokyo', 'nl', 'Tokio'),
    ('spelling', 'en', 'Tokyo', 'pt', 'Tóquio'),
    ('spelling', 'en', 'Tokyo', 'ru', 'Токио'),
    ('spelling', 'en', 'Tokyo', 'ja', '東京'),
    ('spelling', 'en', 'Kyoto', 'es', 'Kioto'),
    ('spelling', 'en', 'Kyoto', 'pl', 'Kioto'),
    ('spelling', 'en', 'Kyoto', 'pt', 'Quioto'),
    ('spelling', 'en', 'Kyoto', 'ru', 'Киото'),
    ('spelling', 'en', 'Kyoto', 'ja', '京都')
) as shipped(kind, lang_a, a, lang_b, b)
cross join lateral (select (lang_a collate "C", a collate "C") > (lang_b collate "C", b collate "C")) t(turned);
