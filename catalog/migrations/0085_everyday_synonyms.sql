-- Everyday words for common subjects that titles may name differently. In each language the first word of a list is the usual one, and the
-- others mean the same, or nearly the same, in a search. A pair that an operator added or refused stays as it is.
with
concepts(en, ru, de, fr, es, pl, it, pt, ja, nl) as (values
    -- Seasons, days and times
    ('golden hour = dusk = twilight = nightfall', 'золотой час = сумерки', 'goldene Stunde = Abenddämmerung = Dämmerung',
     'heure dorée = crépuscule', 'hora dorada = crepúsculo = anochecer', 'złota godzina = zmierzch', 'ora d''oro = crepuscolo = imbrunire',
     'hora dourada = crepúsculo = anoitecer', '黄昏 = 夕暮れ = 夕方', 'gouden uur = schemering = avondschemering'),
    ('after midnight = late at night', 'после полуночи = поздней ночью', 'nach Mitternacht = spätnachts', 'après minuit = tard la nuit',
     'después de medianoche = madrugada', 'po północy', 'dopo mezzanotte', 'depois da meia-noite = madrugada', '真夜中 = 深夜', 'na middernacht'),
    ('quiet afternoon = silent afternoon = calm afternoon', 'тихий полдень = тихий день', 'stiller Nachmittag = ruhiger Nachmittag',
     'après-midi calme = après-midi tranquille', 'tarde tranquila', 'ciche popołudnie = spokojne popołudnie', 'pomeriggio tranquillo',
     'tarde tranquila = tarde calma', '静かな午後 = 静かな昼下がり', 'stille middag = rustige middag'),
    ('day off = holiday = free day', 'выходной = выходной день', 'freier Tag = Feiertag', 'jour de congé = jour férié',
     'día libre = día festivo = feriado',
     'dzień wolny', 'giorno libero = giorno di festa', 'dia de folga = feriado', '休日 = 休みの日', 'vrije dag = feestdag'),
    ('long weekend', 'долгие выходные', 'langes Wochenende', 'long week-end', 'fin de semana largo', 'długi weekend', 'lungo fine settimana',
     'fim de semana prolongado = feriadão', '連休', 'lang weekend'),
    ('summer trip = summer vacation = summer holiday', 'летнее путешествие = летний отпуск = летние каникулы',
     'Sommerreise = Sommerurlaub = Sommerferien', 'voyage d''été = vacances d''été', 'viaje de verano = vacaciones de verano',
     'letnia podróż = wakacje = letni wyjazd', 'viaggio estivo = vacanze estive', 'viagem de verão = férias de verão', '夏旅行 = 夏休み',
     'zomerreis = zomervakantie'),
    ('summer night = summer evening', 'летняя ночь', 'Sommernacht', 'nuit d''été = soir d''été', 'noche de verano', 'letnia noc', 'notte d''estate',
     'noite de verão', '夏の夜 = 夏夜', 'zomernacht = zomeravond'),
    ('spring day = springtime', 'весенний день', 'Frühlingstag = Frühling', 'jour de printemps = printemps', 'día de primavera = primavera',
     'wiosenny dzień = wiosna', 'giorno di primavera = primavera', 'dia de primavera = primavera', '春の日', 'lentedag = lente'),
    ('rainy day', 'дождливый день = ливень', 'Regentag = verregneter Tag = regnerischer Tag', 'jour de pluie = journée pluvieuse = jour pluvieux',
     'día de lluvia = día lluvioso', 'deszczowy dzień', 'giorno di pioggia = giornata piovosa', 'dia de chuva = dia chuvoso', '雨の日',
     'regendag = regenachtige dag'),
    ('first snow = first snowfall', 'первый снег = снегопад', 'erster Schnee = Schneefall', 'première neige = chute de neige',
     'primera nieve = nevada', 'pierwszy śnieg = opady śniegu', 'prima neve = nevicata', 'primeira neve = nevada', '初雪 = 降雪',
     'eerste sneeuw = sneeuwval'),
    ('autumn leaves = fall foliage = autumn foliage = fall leaves', 'осенние листья = осенняя листва', 'Herbstlaub = Herbstblätter = buntes Laub',
     'feuilles d''automne = feuilles mortes', 'hojas de otoño', 'jesienne liście', 'foglie d''autunno = foglie autunnali', 'folhas de outono',
     '紅葉 = もみじ',
     'herfstbladeren = najaarsbladeren = herfstkleuren'),
    ('New Year''s Eve = new years = New Year', 'новогодняя ночь = Новый год', 'Silvester = Jahreswechsel', 'Saint-Sylvestre = réveillon',
     'Nochevieja = fin de año', 'sylwester = noc sylwestrowa', 'San Silvestro = capodanno = ultimo dell''anno', 'véspera de Ano-Novo = réveillon',
     '大晦日 = 年越し',
     'oudejaarsavond = jaarwisseling = oud en nieuw'),
    ('full moon', 'полнолуние = полная луна', 'Vollmond = Vollmondnacht', 'pleine lune', 'luna llena', 'pełnia księżyca = pełnia',
     'luna piena = plenilunio',
     'lua cheia = luar', '満月 = 満月の夜', 'volle maan = vollemaan'),
    -- Places and nature
    ('city lights = lights of the city = night view', 'огни города', 'Lichter der Stadt = Stadtlichter', 'lumières de la ville',
     'luces de la ciudad = luces urbanas', 'światła miasta', 'luci della città', 'luzes da cidade', '街の灯り = 夜景',
     'stadslichten = lichtjes van de stad'),
    ('sound of waves = ocean waves = sound of the sea', 'шум волн = шум моря', 'Rauschen der Wellen = Meeresrauschen',
     'bruit des vagues = bruit de la mer',
     'sonido de las olas', 'szum fal = szum morza', 'suono delle onde = rumore del mare', 'som das ondas = barulho do mar', '波の音 = 波音',
     'geluid van golven = ruisen van de zee'),
    ('cherry blossom = sakura = cherry trees = hanami', 'сакура', 'Kirschblüte = Sakura = Kirschbäume', 'fleurs de cerisier = sakura = cerisiers',
     'flor de cerezo = sakura = cerezos', 'kwitnące wiśnie = sakura', 'fiori di ciliegio = sakura = ciliegi',
     'flor de cerejeira = sakura = cerejeiras',
     '桜 = 花見 = さくら', 'kersenbloesem = sakura = kersenbomen'),
    ('mountain hike = mountain hiking', 'поход в горы = горный поход', 'Bergwanderung = Bergtour', 'randonnée en montagne = rando = randonnée',
     'caminata por la montaña = senderismo', 'górska wędrówka = chodzenie po górach', 'escursione in montagna = escursionismo',
     'caminhada na montanha = trilha',
     '山歩き = 登山 = ハイキング', 'bergwandeling = bergtocht'),
    ('garden in bloom = flower garden', 'цветущий сад = сад цветов', 'blühender Garten = Blumengarten', 'jardin en fleurs = jardin fleuri',
     'jardín en flor = jardín de flores',
     'kwitnący ogród = ogród kwiatowy', 'giardino in fiore = giardino fiorito', 'jardim em flor = jardim florido', '花の庭',
     'bloeiende tuin = bloementuin'),
    ('hot springs = thermal springs', 'горячие источники', 'heiße Quellen = Thermalquellen', 'sources chaudes', 'termas = baños termales',
     'gorące źródła', 'terme = sorgenti calde',
     'termas = águas termais', '温泉', 'warmwaterbronnen = hete bronnen'),
    ('harbour = port', 'порт = гавань', 'Hafen', 'port', 'puerto', 'port = przystań', 'porto', 'porto', '港', 'haven'),
    ('train journey = train trip', 'поездка на поезде', 'Zugreise = Zugfahrt', 'voyage en train', 'viaje en tren', 'podróż pociągiem',
     'viaggio in treno',
     'viagem de trem', '列車の旅 = 汽車の旅 = 電車の旅', 'treinreis = treinrit'),
    -- Events and subjects
    ('night market = evening market', 'ночной рынок', 'Nachtmarkt', 'marché de nuit = marché nocturne', 'mercado nocturno', 'nocny targ',
     'mercato notturno', 'mercado noturno',
     '夜市 = ナイトマーケット', 'nachtmarkt = avondmarkt'),
    ('lantern festival', 'праздник фонарей = фестиваль фонарей', 'Laternenfest', 'fête des lanternes = festival des lanternes',
     'fiesta de los faroles = festival de los faroles',
     'święto lampionów = festiwal lampionów', 'festa delle lanterne', 'festival das lanternas = festa das lanternas',
     '灯籠祭り = ランタンフェスティバル = ランタン祭り', 'lantaarnfeest = lampionfeest'),
    ('paper lanterns', 'бумажные фонарики', 'Papierlaternen', 'lanternes en papier', 'farolillos de papel',
     'papierowe lampiony = lampiony z papieru', 'lanterne di carta',
     'lanternas de papel', '紙灯籠 = 紙ランタン', 'papieren lantaarns = lampionnen'),
    ('tea ceremony', 'чайная церемония = чаепитие = церемония чая', 'Teezeremonie', 'cérémonie du thé', 'ceremonia del té', 'ceremonia herbaty',
     'cerimonia del tè',
     'cerimônia do chá', '茶会 = お茶会', 'theeceremonie'),
    ('contemporary dance = modern dance', 'современный танец = контемпорари', 'zeitgenössischer Tanz = moderner Tanz',
     'danse contemporaine = danse moderne',
     'danza contemporánea = danza moderna = baile moderno', 'taniec współczesny = taniec nowoczesny', 'danza contemporanea = danza moderna',
     'dança contemporânea = dança moderna', '現代舞踊 = コンテンポラリーダンス = モダンダンス', 'hedendaagse dans = moderne dans'),
    ('piano evening = piano concert = piano music', 'фортепианный вечер = фортепианный концерт', 'Klavierabend = Klaviermusik = Klavierkonzert',
     'soirée piano = concert de piano',
     'velada de piano = concierto de piano', 'wieczór fortepianowy = koncert fortepianowy', 'serata al pianoforte = concerto pianoforte',
     'noite de piano = concerto de piano',
     'ピアノの夕べ = ピアノコンサート', 'pianoavond = pianomuziek = pianoconcert'),
    ('rooftop concert', 'концерт на крыше', 'Konzert auf dem Dach = Dachkonzert', 'concert sur le toit', 'concierto en la azotea',
     'koncert na dachu', 'concerto sul tetto',
     'concerto no terraço = concerto no telhado', '屋上コンサート', 'concert op het dak = dakconcert'),
    ('studio portrait = photo studio', 'студийный портрет = фотостудия', 'Porträt im Studio = Fotostudio', 'portrait en studio = studio photo',
     'retrato de estudio = foto de estudio', 'portret w studiu = studio fotograficzne', 'ritratto in studio = studio fotografico',
     'retrato em estúdio = ensaio fotográfico',
     'スタジオポートレート = スタジオ写真', 'studioportret = fotostudio'),
    ('retro café = vintage café = old café', 'ретро-кафе = ретрокафе = винтажное кафе', 'Retro-Café', 'café rétro = vieux café',
     'café retro = cafetería vintage', 'kawiarnia retro', 'caffè retrò',
     'café retrô', 'レトロ喫茶 = レトロカフェ', 'retrocafé'),
    ('café = coffeehouse = coffee shop', 'кафе = кофейня', 'Café = Kaffeehaus', 'café = salon de café', 'café = cafetería', 'kawiarnia = kafejka',
     'caffè = caffetteria', 'café = cafeteria', 'カフェ = 喫茶店', 'café = koffiehuis'),
    ('room of mirrors = mirror room', 'комната зеркал = зеркальная комната', 'Zimmer voller Spiegel = Spiegelsaal',
     'chambre de miroirs = salle des miroirs', 'sala de espejos', 'pokój luster = lustrzany pokój',
     'stanza di specchi = sala degli specchi', 'sala de espelhos', '鏡の部屋', 'spiegelkamer = spiegelzaal'),
    ('fashion show = catwalk', 'показ мод', 'Modenschau = Modeschau', 'défilé de mode', 'desfile de moda', 'pokaz mody', 'sfilata di moda',
     'desfile de moda', 'ファッションショー', 'modeshow')
),
concept_numbers as (select row_number() over () as concept, * from concepts),
lists(concept, lang, list) as (
    select concept, lang, list
    from concept_numbers
    cross join lateral (values
        ('en', en), ('ru', ru), ('de', de), ('fr', fr), ('es', es), ('pl', pl), ('it', it), ('pt', pt), ('ja', ja), ('nl', nl)
    ) as columns(lang, list)
),
words(concept, lang, word, place) as (
    select concept, lang, word, place from lists, regexp_split_to_table(list, '\s+=\s+') with ordinality as parts(word, place)
),
-- Each word is paired with the usual one in its language and with the English one, through which a search reaches the other languages.
pairs(kind, lang_a, a, lang_b, b, weight) as (
    select 'synonym', w.lang, u.word, w.lang, w.word, 0.9
    from words w join words u on u.concept = w.concept and u.lang = w.lang and u.place = 1 and w.place > 1
    union all
    select case when w.place = 1 then 'translation' else 'synonym' end, 'en', u.word, w.lang, w.word, case when w.place = 1 then 1 else 0.9 end
    from words w join words u on u.concept = w.concept and u.lang = 'en' and u.place = 1 and w.lang <> 'en'
)
insert into meanings (lang, word, other_lang, other, kind, origin, weight)
select distinct on (1, 2, 3, 4)
    case when turned then lang_b else lang_a end, case when turned then b else a end,
    case when turned then lang_a else lang_b end, case when turned then a else b end, kind, 'shipped', weight
from pairs
cross join lateral (select (lang_a collate "C", a collate "C") > (lang_b collate "C", b collate "C")) as t(turned)
where (lang_a, a) <> (lang_b, b)
order by 1, 2, 3, 4, weight desc
on conflict do nothing;
