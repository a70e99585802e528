//! Receives the profile form: fields in any encoding, pictures in a multipart form.

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

/// Form field of the avatar.
pub const AVATAR: &str = "u_ava";
/// Form field of the cover.
pub const COVER: &str = "u_cover";

#[derive(Default)]
pub struct ProfileForm {
    /// Names and values, in order.
    pub fields: Vec<(String, String)>,
    pub avatar: Option<Vec<u8>>,
    pub cover: Option<Vec<u8>>,
}

impl ProfileForm {
    /// Reads the whole form. An empty file field counts as absent, because browsers send one if no file is chosen. Fails with 400, 413 or
    /// 415 for a malformed or oversized form, and with 422 `file_too_large` for a picture above the configured size.
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

    /// Whether a checkbox was ticked.
    pub fn ticked(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, value)| field == name && matches!(value.as_str(), "1" | "true" | "on"))
    }
}

/// Whether the request may contain files.
fn is_multipart(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("multipart/form-data")
}

/// Returns the fields for the OpenAPI document.
pub fn fields() -> Vec<Param> {
    let word = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let text = |most: usize| json!({ "type": "string", "maxLength": most });
    let tick = || json!({ "type": "string", "enum": ["1"] });
    vec![
        field("gender", "Code.", word("MemberGender"), "female"),
        field(
            "birth_date",
            "Birth date of an adult, `YYYY-MM-DD`.",
            json!({ "type": "string", "format": "date" }),
            "1990-05-04",
        ),
        field("relationship", "Code.", word("Relationship"), "single"),
        field("orientation", "Code.", word("Orientation"), "straight"),
        field("education", "Free text.", text(profiles::EDUCATION_MAX), "university"),
        field("website", "Web address, `http` or `https`.", text(profiles::WEBSITE_MAX), "https://member.example/"),
        field("about", "Free text, several lines.", text(profiles::ABOUT_MAX), "Some words about me."),
        field("city", "Free text.", text(profiles::CITY_MAX), "Osaka"),
        field("country", "ISO 3166-1 alpha-2.", json!({ "type": "string", "enum": labels::codes("country") }), "JP"),
        field("interests", "Free text.", text(profiles::INTERESTS_MAX), "Trains"),
        field("occupation", "Free text.", text(profiles::OCCUPATION_MAX), "Gardener"),
        field("u_ava_rem", "Removes the avatar.", tick(), ""),
        field("u_cover_rem", "Removes the cover picture.", tick(), ""),
    ]
}
