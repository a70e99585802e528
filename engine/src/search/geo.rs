//! Distances of hits sorted by location.

use milli_core::update::new::KvReaderFieldId;
use milli_core::{self as milli, AscDesc, Member, distance_between_two_points};
use serde_json::Value;

use super::document::Projection;

/// Returns the reference point of a sort by distance, if there is one.
pub fn origin(sort: Option<&Vec<String>>) -> Option<[f64; 2]> {
    sort?.iter().find_map(|criterion| match criterion.parse() {
        Ok(AscDesc::Asc(Member::Geo(point)) | AscDesc::Desc(Member::Geo(point))) => Some(point),
        _ => None,
    })
}

/// Returns the distance from `origin` to the document in meters, if the document has a displayed location.
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
    // The value is rounded and never negative, so the cast is exact for every distance on Earth.
    Ok(place.map(|(lat, lng)| distance_between_two_points(&origin, &[lat, lng]).round() as u64))
}
