//! Distances of hits sorted by where they are.

use milli_core::update::new::KvReaderFieldId;
use milli_core::{self as milli, AscDesc, Member, distance_between_two_points};
use serde_json::Value;

use super::document::Projection;

/// The point the sort criteria measure from, if one of them does.
pub fn origin(sort: Option<&Vec<String>>) -> Option<[f64; 2]> {
    sort?.iter().find_map(|criterion| match criterion.parse() {
        Ok(AscDesc::Asc(Member::Geo(point)) | AscDesc::Desc(Member::Geo(point))) => Some(point),
        _ => None,
    })
}

/// Metres from `origin` to the document, if the document is somewhere and its place is shown.
pub fn distance(
    origin: Option<[f64; 2]>,
    projection: &Projection,
    document: &KvReaderFieldId,
) -> milli::Result<Option<u64>> {
    let Some(origin) = origin else { return Ok(None) };
    let document = projection.value(document)?;
    let degrees = |name: &str| match document.get("_geo")?.get(name)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    let place = degrees("lat").zip(degrees("lng"));
    // Rounded and never negative: the cast keeps every value there can be on a globe.
    Ok(place.map(|(lat, lng)| distance_between_two_points(&origin, &[lat, lng]).round() as u64))
}
