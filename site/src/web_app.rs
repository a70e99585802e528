//! Files in the built web app.

use std::{borrow::Cow, collections::HashMap};

use axum::http::HeaderValue;
use lantern_http::cache::etag;
use rust_embed::RustEmbed;

use crate::template::Template;

/// `web/dist` at build time, which is empty if the app was not built.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../web/dist"]
#[allow_missing = true]
struct Dist;

/// A file, ready to send.
pub struct AppFile {
    pub bytes: Cow<'static, [u8]>,
    /// Strong entity tag.
    pub etag: HeaderValue,
    /// Media type, determined by the file extension.
    pub content_type: &'static str,
    /// Whether the name contains a hash of the content, in which case the content never changes.
    pub hashed: bool,
}

/// The web app's files by path.
#[derive(Default)]
pub struct WebApp {
    files: HashMap<String, AppFile>,
    /// The page around every screen.
    template: Option<Template>,
}

impl WebApp {
    /// Loads the app embedded in the binary.
    ///
    /// # Errors
    /// Fails if a file can't be tagged, or if the page is not UTF-8 or lacks a placeholder.
    pub fn embedded() -> anyhow::Result<Self> {
        let files = Dist::iter().filter_map(|path| Dist::get(&path).map(|file| (path.into_owned(), file.data)));
        Self::from_files(files)
    }

    /// Builds an app from files.
    ///
    /// # Errors
    /// Fails if a file can't be tagged, or if the page is not UTF-8 or lacks a placeholder.
    pub fn from_files(files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>) -> anyhow::Result<Self> {
        let mut app = Self::default();
        for (path, bytes) in files {
            if path == "index.html" {
                app.template = Some(Template::parse(str::from_utf8(&bytes)?)?);
                continue;
            }
            let file = AppFile {
                etag: etag(&bytes).map_err(|error| anyhow::anyhow!("{path}: {error}"))?,
                content_type: content_type(&path),
                hashed: is_hashed(&path),
                bytes,
            };
            app.files.insert(path, file);
        }
        Ok(app)
    }

    /// Returns the file at a path without a leading slash.
    pub fn file(&self, path: &str) -> Option<&AppFile> {
        self.files.get(path)
    }

    /// Returns the page around every screen, if the app was built.
    pub fn template(&self) -> Option<&Template> {
        self.template.as_ref()
    }
}

/// Whether the build added a hash to the name, as in `assets/name-Bx3kQ9_z.js`.
fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    path.starts_with("assets/")
        && stem.len() > 9
        && stem.is_char_boundary(stem.len() - 9)
        && stem[stem.len() - 9..].starts_with('-')
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashed_names_are_cached_forever() {
        assert!(is_hashed("assets/index-Bx3kQ9_z.js"));
        assert!(is_hashed("assets/ja-DkQ-9_zA.css"));
        for path in [
            "assets/lantern.svg",
            "assets/maskable-icon.png",
            "assets/apple-touch-icon.png",
            "index.html",
            "robots-12345678.txt",
            "assets/-1234567.js",
        ] {
            assert!(!is_hashed(path), "{path}");
        }
    }
}
