//! What a search that finds little is asked as besides: in other readings and words, without filters and words, in another spelling.

use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_index::{SearchClient, text};

use super::{
    corrections::{self, Hints},
    kana::KanaReading,
    meaning::widen::{self, MeantQueries, MeantVideos},
    outcome::Outcome,
    parts::{self, ShownParts},
    prepared::{PreparedSearch, SearchedFields, names},
    relax::{Relaxation, Step, bare, each_word, remains, steps},
    request::SearchRequest,
    slips::Slips,
};
use crate::{
    index::{self, Found, Hit, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// Why a search may mean something else than what it finds.
pub struct Doubts {
    pub slips: Slips,
    pub reading: Option<KanaReading>,
    /// Whether what was found has the kana of the reading by chance.
    pub is_chance: bool,
}

/// Other readings in every language, what means the same, then the relaxed searches, and what the query may have meant, all at once.
pub async fn second(
    reader: &Reader,
    lexicon: &Lexicon,
    ask: &SearchRequest,
    (mut prepared, doubts): (PreparedSearch, Doubts),
    fields: &SearchedFields,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let first = prepared.clone();
    let likely = prepared.readings.len();
    prepared.read_in_all(ask);
    let steps = if outcome.hits == 0 { steps(ask, reader.config.listing.relaxed_words) } else { Vec::new() };
    let parts = parts::all(reader.now(), (ask.text.clone(), prepared), &steps);
    let (own, all) = (names(&fields.own), names(&fields.all));
    let ways = if outcome.hits == 0 { parts::ways(&parts) } else { Vec::new() };
    let mut queries: Vec<VideoQuery<'_>> = ways.iter().map(|at| parts::query(&parts, *at, &own, &all)).collect();
    let meant_queries = MeantQueries::of(lexicon, reader, ask, fields.lang);
    queries.extend(meant_queries.queries(&own, &all));
    let meant_until = queries.len();
    let hints = Hints::new(&lexicon.prohibited, ask, &text::query(&ask.text, ask.lang));
    let wanted = corrections::searched(ask.lang);
    let wanted = names(&wanted);
    queries.extend(hints.queries(&wanted));
    let hinted_until = queries.len();
    queries.extend(doubts.slips.queries(&all));
    let mut found = find_many(&reader.search, &queries).await?;
    let are_slips = doubts.slips.are_sure(&found.split_off(hinted_until));
    let spelled = found.split_off(meant_until);
    let meant = meant_queries.read(&found.split_off(ways.len()))?;
    let lists = ways.into_iter().zip(found);
    let shown = parts::put_together(&reader.search, &parts, fields, lists).await?;
    // A spelling of the visitor's language is likelier than a word of a third one.
    let unlikely = shown.as_ref().filter(|shown| shown.step == 0 && shown.way > likely).map(|shown| shown.found.total);
    let whole = shown.as_ref().filter(|shown| shown.step == 0 && shown.way <= likely).map(|shown| shown.way);
    // What means the same as a word of another language is what the visitor would have typed.
    let few = if fields.is_foreign() { reader.config.listing.few_hits } else { reader.config.listing.few_meant };
    // What is left of several words is nearer to them than what all of them may mean.
    let is_left = shown.as_ref().is_some_and(|shown| shown.step > 0) && text::count_words(&ask.text) > 1;
    let unsure = (outcome.hits == 0 && !is_left).then(|| meant.clone());
    let meant = meant.only_sure();
    let is_meant = meant.has_own() || !meant.is_empty() && !is_left;
    // A word of which titles have another form is no slip of what is written alike.
    if are_slips && meant.has_forms() {
        (outcome.hits, outcome.found) = (0, Found::default());
    }
    if outcome.hits == 0 && whole.is_none() && is_meant && !doubts.is_chance {
        // A word that is written so in any language isn't misspelled.
        let (meant, forms) = meant.or_forms();
        if !forms.is_empty() {
            outcome.shown = forms;
        }
        outcome.hits = meant.own.len();
        let meant = if outcome.hits < few { meant } else { meant.only_own() };
        widen(&reader.search, &reader.config, &first, meant, Vec::new(), &mut outcome).await?;
        return Ok(outcome);
    }
    take(&mut outcome, &steps, shown)?;
    let found = outcome.found.total;
    let meant = if outcome.hits < few { meant } else { meant.only_own() };
    if outcome.hits > 0 && outcome.hits < reader.config.listing.few_hits && unlikely.is_none() {
        let searched = names(&fields.first);
        let itself = match whole {
            Some(way) => first.query(&first.readings[way - 1], &all),
            None => first.query(&first.readings[0], &searched),
        };
        follow(reader, ask, (&first, itself), meant, &own, &mut outcome).await?;
    }
    // What was forgiven, or has the kana of a reading by chance, is no more likely than what its letters are nearest to.
    let forgiven = unlikely.or((are_slips || doubts.is_chance).then_some(outcome.hits));
    if forgiven.is_some() {
        outcome.hits = 0;
    }
    let spelling = match doubts.reading {
        None => hints.corrected(ask, spelled, lexicon.words.near(&ask.text, ask.lang))?,
        Some(reading) => Some(reading.text),
    };
    let to_beat = if outcome.hits == 0 { 0 } else { found };
    if let Some(spelling) = spelling
        && let Some(found) =
            corrections::confirmed(reader, &lexicon.prohibited, ask, &spelling, fields, to_beat).await?
    {
        correct(&mut outcome, spelling, found)?;
    } else {
        outcome.hits = forgiven.unwrap_or(outcome.hits);
        // A root has less to say than a spelling, and more than nothing.
        if let Some(meant) = unsure.filter(|_| outcome.found.total == 0) {
            widen(&reader.search, &reader.config, &first, meant, Vec::new(), &mut outcome).await?;
        }
    }
    // Whoever turns pages has read it.
    outcome.did_you_mean = outcome.did_you_mean.filter(|_| ask.list.page == 1);
    Ok(outcome)
}

/// Whether each word of a search follows it. In an order of the visitor's what matches less would come between.
fn is_followed(ask: &SearchRequest) -> bool {
    index::video_sort(&ask.list).is_none() && !each_word(ask).is_empty()
}

/// Puts what means the same behind the few videos that a search finds itself, then those with each of its words.
async fn follow(
    reader: &Reader,
    ask: &SearchRequest,
    (prepared, itself): (&PreparedSearch, VideoQuery<'_>),
    meant: MeantVideos,
    own: &[&str],
    outcome: &mut Outcome,
) -> ApiResult<()> {
    let most = reader.config.listing.meant_hits;
    let parts = if is_followed(ask) { each_word(ask) } else { Vec::new() };
    if parts.is_empty() && meant.is_empty() && meant.own.is_empty() {
        return Ok(());
    }
    let readings: Vec<PreparedSearch> = parts.iter().map(|part| PreparedSearch::new(reader.now(), part)).collect();
    let words = readings.iter().map(|part| widen::ids_of(part.query(&part.readings[0], own), most));
    let queries: Vec<VideoQuery<'_>> = std::iter::once(widen::ids_of(itself, outcome.hits)).chain(words).collect();
    let mut found = find_many(&reader.search, &queries).await?.into_iter().map(|found| widen::ids(&found.hits));
    let first = found.next().transpose()?.unwrap_or_default();
    let words = parts.into_iter().map(|part| part.text).zip(found).map(|(text, ids)| Ok((text, ids?)));
    let meant = meant.then_words(words.collect::<ApiResult<_>>()?);
    widen(&reader.search, &reader.config, prepared, meant, first, outcome).await
}

/// Puts what means the same behind what was found (`first`, all of it).
async fn widen(
    search: &SearchClient,
    config: &Config,
    prepared: &PreparedSearch,
    meant: MeantVideos,
    first: Vec<i64>,
    outcome: &mut Outcome,
) -> ApiResult<()> {
    let (ids, texts, relaxed) = meant.together(first, config.listing.meant_hits);
    if ids.len() <= outcome.found.total {
        return Ok(());
    }
    let found = widen::page(search, prepared, &ids).await?;
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    if !texts.is_empty() {
        (outcome.shown, outcome.relaxed) = (texts, relaxed);
    }
    Ok(())
}

/// Where nothing is left of a search: what its words mean without its filters, then what is watched most.
pub async fn last(
    reader: &Reader,
    lexicon: &Lexicon,
    ask: &SearchRequest,
    fields: &SearchedFields,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let (bare, filters) = bare(ask);
    let (own, all) = (names(&fields.own), names(&fields.all));
    for (at, asks) in remains(&bare).iter().enumerate() {
        // The whole with all its filters was asked for already.
        let meant_queries: Vec<MeantQueries> = match (at, filters.is_empty()) {
            (0, true) => continue,
            _ => asks.iter().map(|ask| MeantQueries::new(lexicon, &reader.config, reader.now(), ask)).collect(),
        };
        let queries: Vec<Vec<VideoQuery<'_>>> =
            meant_queries.iter().map(|reading| reading.queries(&own, &all)).collect();
        let counts: Vec<usize> = queries.iter().map(Vec::len).collect();
        let mut found = find_many(&reader.search, &queries.concat()).await?.into_iter();
        let mut meant = MeantVideos::default();
        for (reading, count) in meant_queries.into_iter().zip(counts) {
            meant.add(reading.read(&found.by_ref().take(count).collect::<Vec<_>>())?);
        }
        if !meant.is_empty() {
            widen(
                &reader.search,
                &reader.config,
                &PreparedSearch::new(reader.now(), &bare),
                meant,
                Vec::new(),
                &mut outcome,
            )
            .await?;
            let words = (at > 0).then_some(Relaxation::Words);
            outcome.relaxed = filters.into_iter().chain(words).chain([Relaxation::Meaning]).collect();
            outcome.tried.clear();
            return Ok(outcome);
        }
    }
    popular(reader, ask, &bare, filters, outcome).await
}

/// One page of what is watched most, of the kinds of videos that are never given up.
async fn popular(
    reader: &Reader,
    ask: &SearchRequest,
    bare: &SearchRequest,
    mut filters: Vec<Relaxation>,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    if ask.list.page > 1 {
        return Ok(outcome);
    }
    let (prepared, excluded) = (PreparedSearch::new(reader.now(), bare), widen::exclusions(ask));
    let sort: &[&str] = if prepared.sort().is_empty() { &["viewed:desc", "id:desc"] } else { prepared.sort() };
    let query = VideoQuery {
        text: excluded.as_deref(),
        sort,
        limit: prepared.limit,
        counts: &[],
        exact: false,
        ..VideoQuery::new(prepared.filter().clone())
    };
    let found = index::find::<VideoDoc>(reader, query).await?;
    if found.hits.is_empty() {
        return Ok(outcome);
    }
    filters.push(Relaxation::Popular);
    outcome.found = Found { total: found.hits.len(), ..found };
    (outcome.relaxed, outcome.tried) = (filters, Vec::new());
    Ok(outcome)
}

/// Offers the spelling; where the search itself finds nothing, what it finds is shown instead of what is left of the search.
fn correct(outcome: &mut Outcome, spelling: String, found: Found<Hit>) -> ApiResult<()> {
    if outcome.hits > 0 {
        outcome.did_you_mean = Some(spelling);
        return Ok(());
    }
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    (outcome.shown, outcome.relaxed, outcome.tried) = (vec![spelling], vec![Relaxation::Spelling], Vec::new());
    Ok(())
}

/// Puts what is shown into the outcome, or what was given up in vain.
fn take(outcome: &mut Outcome, steps: &[Step], shown: Option<ShownParts>) -> ApiResult<()> {
    let Some(ShownParts { step, texts, found, .. }) = shown else {
        outcome.tried = match (outcome.hits, steps.last()) {
            (0, Some(last)) => last.relaxed.clone(),
            _ => Vec::new(),
        };
        return Ok(());
    };
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    match step.checked_sub(1).map(|at| &steps[at]) {
        None => outcome.hits = outcome.found.total,
        Some(step) => {
            outcome.relaxed.clone_from(&step.relaxed);
            outcome.shown = texts;
        }
    }
    Ok(())
}
