//! Documentation of shared parameters. Vocabularies come from `config/`, and ranges come from the settings.

use lantern_catalog::community::Window;
use lantern_config::{AlbumSort, Config, Gender, Lang, MemberSort, ModelSort, PlaylistSort, VideoSort, labels};
use lantern_errors::ApiResult;
use lantern_http::{
    Query,
    openapi::{Param, id_schema, one_of, query, segment},
};
use lantern_listing::{FACETS, Facet, FilterWord, Kind, LAST_PAGE, MOST_VALUES, NAMES, NameFacet, Place};
use serde_json::{Value, json};

/// Pattern for a name in URLs, which must match [`lantern_listing::is_dir`].
const DIR: &str = "[a-z0-9]+(?:-[a-z0-9]+)*";

/// Cache lifetime of the response.
pub(crate) fn lifetime(allowed: &[u32]) -> Param {
    let about = "Seconds the response may be cached (`max-age`), one of the values the call allows.";
    segment("lifetime", about, json!({ "type": "integer", "enum": allowed }), allowed[0])
}

fn words<T: Copy + ToString + 'static>(all: &'static [T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// Returns a reference to the schema of a vocabulary.
fn vocabulary(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

pub(crate) fn gender() -> Param {
    segment("gender", "Orientation of the listed objects.", vocabulary("Gender"), Gender::Str.as_str())
}

/// Language of the response, as a path segment.
pub(crate) fn lang_segment() -> Param {
    segment("lang", "Language of titles.", vocabulary("Lang"), Lang::En.as_str())
}

/// Language of the response, as a query parameter.
pub fn lang() -> Param {
    let schema = json!({ "$ref": "#/components/schemas/Lang", "default": Lang::En.as_str() });
    query(
        "lang",
        "Language of titles and labels; falls back to the original if there is no translation.",
        schema,
        Lang::En.as_str(),
    )
}

/// Orientation of the counted videos.
pub(crate) fn counted_gender() -> Param {
    query("gender", "Orientation of the counted videos; all if omitted.", vocabulary("Gender"), Gender::Str.as_str())
}

/// Sort order of a list of videos without a query, which excludes relevance.
pub fn video_sort() -> Param {
    let mut sorts = words(VideoSort::ALL);
    sorts.retain(|sort| sort != VideoSort::Relevance.as_str());
    sort(one_of(&sorts), VideoSort::TopRated.as_str())
}

/// Sort order of a list of albums.
pub(crate) fn album_sort() -> Param {
    sort(vocabulary("AlbumSort"), AlbumSort::TopRated.as_str())
}

/// Sort order of a list of models.
pub(crate) fn model_sort() -> Param {
    sort(vocabulary("ModelSort"), ModelSort::MostPopular.as_str())
}

/// Sort order of a list of playlists.
pub(crate) fn playlist_sort() -> Param {
    sort(vocabulary("PlaylistSort"), PlaylistSort::MostPopular.as_str())
}

pub(crate) fn member_sort() -> Param {
    sort(vocabulary("MemberSort"), MemberSort::Recent.as_str())
}

fn sort(schema: Value, example: &str) -> Param {
    segment("sort", "Sort order; ties are broken by newest id.", schema, example)
}

pub(crate) fn count(config: &Config) -> Param {
    let schema = json!({ "type": "integer", "minimum": 1, "maximum": config.listing.max_page_size });
    segment("count", "Items per page.", schema, 12)
}

fn page_schema() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": LAST_PAGE })
}

pub(crate) fn page() -> Param {
    segment("page", "Page number. A page past the end is empty.", page_schema(), 1)
}

/// Page number of a list that the search engine sorts.
pub(crate) fn page_of_list(config: &Config) -> Param {
    let most = config.search.max_total_hits;
    let about = format!(
        "Page number. A page past the end is empty, with a `code`. If `count` times `page` exceeds {most} \
         (`search.max_total_hits`), it is 404."
    );
    segment("page", &about, page_schema(), 1)
}

/// Page number, as a query parameter.
pub(crate) fn page_query() -> Param {
    let mut schema = page_schema();
    schema["default"] = json!(1);
    query("page", "Page number.", schema, 1)
}

/// The facets in the path of a list of videos.
pub(crate) fn choices() -> impl Iterator<Item = Param> {
    Facet::of(Place::Path).map(choice)
}

/// Everything in the query that narrows a list of videos.
pub(crate) fn narrowing(config: &Config) -> impl Iterator<Item = Param> {
    names(config).into_iter().chain(Facet::of(Place::Query).map(choice))
}

/// The segment `{type}`.
pub(crate) fn kind() -> Param {
    choice(&FACETS[0])
}

fn choice(facet: &Facet) -> Param {
    let words = facet.words();
    let schema = match facet.pattern {
        Some(pattern) => json!({ "type": "string", "pattern": format!("^(?:|{}|{pattern})$", words.join("|")) }),
        None => one_of(&[&words[..], &[String::new()]].concat()),
    };
    match facet.place {
        Place::Path => segment(facet.name, facet.about, schema, words[0].as_str()),
        Place::Query => query(facet.name, facet.about, schema, words[1].as_str()),
    }
}

/// The subject of a list, which is one of these sections and, for all but the first, an object in it.
pub(crate) fn section<const N: usize>(sections: [(&str, &str); N], config: &Config) -> [Param; 2] {
    let words: Vec<String> = sections.iter().map(|(section, _)| (*section).to_owned()).collect();
    let more = config.listing.max_categories - 1;
    let object = json!({ "type": "string", "maxLength": 602,
        "pattern": format!("^(?:|{DIR}(?:,{DIR}){{0,{more}}}|[A-Z]{{2}})$") });
    let about = format!(
        "Object of the section: empty for `all`, 1 to {} comma-separated category names that must all match, a model's name, \
         the id of a channel, member or playlist, or a country (ISO 3166-1 alpha-2, `{}` for the whole world).",
        config.listing.max_categories, config.visitors.default_country
    );
    let names = sections.map(|(section, _)| (section, section));
    [
        segment("section", "Subject of the list.", one_of(&words), "").examples(names),
        segment("object_id", &about, object, "").examples(sections),
    ]
}

/// The bucket, `1000 * floor(id / 1000)`.
pub(crate) fn bucket() -> Param {
    let schema = json!({ "type": "integer", "minimum": 0, "multipleOf": 1000 });
    segment("bucket", "`1000 * floor(id / 1000)` of the following id; any other value is 404.", schema, 0)
}

/// An id.
pub fn id(name: &str, example: i64) -> Param {
    segment(name, "Id of the object.", id_schema(), example)
}

/// `dir` and its first two characters.
pub(crate) fn prefixed_dir(example: &str) -> [Param; 2] {
    let prefix = json!({ "type": "string", "pattern": "^[a-z0-9][a-z0-9-]?$" });
    [
        segment(
            "prefix",
            "First two characters of `dir`; any other value is 404.",
            prefix,
            &example[..example.len().min(2)],
        ),
        segment("dir", "Name in URLs.", dir_schema(), example),
    ]
}

/// Comma-separated names that filter a list of videos.
pub(crate) fn names(config: &Config) -> [Param; 4] {
    let most = config.listing.max_categories;
    let more = most - 1;
    let schema =
        json!({ "type": "string", "maxLength": 602, "pattern": format!("^(?:{DIR}(?:,{DIR}){{0,{more}}})?$") });
    let param = |facet: &NameFacet| {
        let example = if facet.name == "categories" { "travel" } else { "" };
        query(facet.name, &format!("Up to {most} comma-separated {}.", facet.about()), schema.clone(), example)
    };
    NAMES.each_ref().map(param)
}

/// Schema of names in a path that requires at least one name.
pub fn dirs_schema(config: &Config) -> Value {
    let more = config.listing.max_categories - 1;
    json!({ "type": "string", "maxLength": 602, "pattern": format!("^{DIR}(?:,{DIR}){{0,{more}}}$") })
}

/// Schema of a name in URLs.
pub fn dir_schema() -> Value {
    json!({ "type": "string", "pattern": format!("^{DIR}$"), "maxLength": 200 })
}

/// Filters for a list of people, in the order of the vocabulary.
pub(crate) fn filters<F: FilterWord>(example: &str) -> Param {
    let more = MOST_VALUES - 1;
    let range = "(?:0|[1-9][0-9]{0,2})";
    let one = |filter: &F| {
        let value = match filter.kind() {
            Kind::Range => format!("{range}\\.{range}"),
            Kind::Letters => several("[A-Z#]", more),
            Kind::Object => "[1-9][0-9]{0,17}".to_owned(),
            // Listing all countries would make the pattern far longer.
            Kind::Codes if filter.as_str() == "country" => several("[A-Z]{2}", more),
            Kind::Codes => several(&format!("(?:{})", labels::codes(filter.as_str()).join("|")), more),
        };
        format!("(?:-{filter}~{value})?")
    };
    let pattern: String = F::ALL.iter().map(one).collect();
    let about = format!(
        "Empty, or `-key~value` pairs in this order: {}. Comma-separated values of one key are alternatives, at most \
         {MOST_VALUES}; a range is `min.max` in years, centimetres or kilograms, both included.",
        F::ALL.iter().map(|filter| format!("`{filter}`")).collect::<Vec<_>>().join(", ")
    );
    segment("filters", &about, json!({ "type": "string", "pattern": format!("^{pattern}$") }), "")
        .examples([("none", ""), ("some", example)])
}

fn several(one: &str, more: usize) -> String {
    format!("{one}(?:,{one}){{0,{more}}}")
}

/// The listing that a search returns.
pub(crate) fn search_list(lifetimes: &[u32]) -> Param {
    let lifetimes: Vec<String> = lifetimes.iter().map(ToString::to_string).collect();
    let mut pattern = format!(
        "^(?:{})/(?:{})/(?:{})/(?:[1-9][0-9]?|100)/search\\.\\.[1-9][0-9]{{0,7}}",
        lifetimes.join("|"),
        words(Gender::ALL).join("|"),
        words(VideoSort::ALL).join("|"),
    );
    let (mut about, mut example) = ("search..{page}".to_owned(), "search..1".to_owned());
    for facet in Facet::of(Place::Path) {
        let mut values = facet.words();
        example += &format!(".{}", values[0]);
        values.extend(facet.pattern.map(str::to_owned));
        pattern += &format!("\\.(?:{})?", values.join("|"));
        about += &format!(".{{{}}}", facet.name);
    }
    let about =
        format!("The listing in the format of `videos2`: `{{lifetime}}/{{gender}}/{{sort}}/{{count}}/{about}`.");
    let schema = json!({ "type": "string", "pattern": format!("{pattern}$") });
    query("params", &about, schema, format!("86400/str/relevance/12/{example}")).required()
}

/// A search text.
pub(crate) fn text(name: &str, about: &str, least: usize, config: &Config, example: &str) -> Param {
    let schema = json!({ "type": "string", "minLength": least, "maxLength": config.listing.search_max });
    query(name, about, schema, example)
}

/// Schema of a video's playlist, which is always null.
pub(crate) fn no_playlist() -> utoipa::openapi::Schema {
    let of_null = utoipa::openapi::schema::SchemaType::Type(utoipa::openapi::schema::Type::Null);
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(of_null)
        .description(Some("Always null: the playlist a video is watched in is part of the page address."))
        .into()
}

/// Parses the requested part of a list: `page`, and `count` items, `default` if absent and at most `most`.
pub(crate) fn window(query: &Query, default: u32, most: u32) -> ApiResult<Window> {
    let limit = query.number("count", 1..=most)?.unwrap_or(default);
    let page = query.number("page", 1..=LAST_PAGE)?.unwrap_or(1);
    Ok(Window { limit: limit.into(), offset: (i64::from(page) - 1) * i64::from(limit) })
}
