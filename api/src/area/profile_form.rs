//! The profile's form as it comes: fields in any kind of form, pictures in a multipart one.

use axum::{
    extract::{FromRequest, Multipart, Request},
    http::header,
};
use lantern_catalog::profiles;
use lantern_config::{Config, labels};
use serde_json::json;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    form_pairs, no_nul,
    openapi::{Param, field},
    refused_body,
};

/// Name of the avatar's field.
pub const AVATAR: &str = "u_ava";
/// Name of the cover's field.
pub const COVER: &str = "u_cover";

#[derive(Default)]
pub struct ProfileForm {
    /// Names and texts in their order.
    pub fields: Vec<(String, String)>,
    pub avatar: Option<Vec<u8>>,
    pub cover: Option<Vec<u8>>,
}

impl ProfileForm {
    /// Reads it to its end. A file field that was left empty, as browsers send it, counts as not sent. Fails with 400, 413 or 415
    /// for what is no form or too large, 422 `file_too_large` for a picture above the configured size.
    pub async fn read(request: Request, config: &Config) -> ApiResult<Self> {
        if !is_multipart(&request) {
            return Ok(Self { fields: form_pairs(request, &()).await?, ..Self::default() });
        }
        let refused = |status| refused_body(status);
        let mut parts = Multipart::from_request(request, &()).await.map_err(|rejection| refused(rejection.status()))?;
        let mut form = Self::default();
        while let Some(part) = parts.next_field().await.map_err(|error| refused(error.status()))? {
            let (name, is_file) = (part.name().unwrap_or_default().to_owned(), part.file_name().is_some());
            let bytes = part.bytes().await.map_err(|error| refused(error.status()))?;
            if !is_file {
                let text = String::from_utf8(bytes.into()).map_err(|_| ApiError::Malformed("UTF-8"))?;
                form.fields.push((name, no_nul(text)?));
                continue;
            }
            let (field, file) = match name.as_str() {
                AVATAR => (AVATAR, &mut form.avatar),
                COVER => (COVER, &mut form.cover),
                _ => continue,
            };
            if bytes.len() > config.pictures.max_bytes {
                return Err(ApiError::Field { field, code: "file_too_large", bound: None });
            }
            if !bytes.is_empty() && file.is_none() {
                *file = Some(bytes.into());
            }
        }
        Ok(form)
    }

    /// Whether a box was ticked.
    pub fn ticked(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, value)| field == name && matches!(value.as_str(), "1" | "true" | "on"))
    }
}

/// Whether it may hold files.
fn is_multipart(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("multipart/form-data")
}

/// The fields, as the document has them.
pub fn fields() -> Vec<Param> {
    let word = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let tick = || json!({ "type": "string", "enum": ["1"] });
    vec![
        field("gender", "Code.", word("MemberGender"), "female"),
        field("birth_date", "`YYYY-MM-DD` of an adult.", json!({ "type": "string", "format": "date" }), "1990-05-04"),
        field("relationship", "Code.", word("Relationship"), "single"),
        field("orientation", "Code.", word("Orientation"), "straight"),
        field("education", "Own words.", text(profiles::EDUCATION_MAX), "university"),
        field("website", "Address, `http` or `https`.", text(profiles::WEBSITE_MAX), "https://member.example/"),
        field("about", "Some sentences.", text(profiles::ABOUT_MAX), "Some words about me."),
        field("city", "Own words.", text(profiles::CITY_MAX), "Osaka"),
        field("country", "ISO 3166-1 alpha-2.", json!({ "type": "string", "enum": labels::codes("country") }), "JP"),
        field("interests", "Own words.", text(profiles::INTERESTS_MAX), "Trains"),
        field("occupation", "Own words.", text(profiles::OCCUPATION_MAX), "Gardener"),
        field("u_ava_rem", "Removes the avatar.", tick(), ""),
        field("u_cover_rem", "Removes the picture above the profile.", tick(), ""),
    ]
}
