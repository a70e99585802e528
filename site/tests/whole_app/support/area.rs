//! Helpers for the tests of the member area.

use axum::{
    body::Body,
    http::{Method, Request},
};

use super::{App, NOW, Reply, form_body};

/// Age at which an unreferenced file is removed, which is the default of `pictures.orphan_minutes`.
const ORPHAN: std::time::Duration = std::time::Duration::from_secs(3600);

impl App {
    /// Sends a guest's form as the site's own page would.
    pub async fn guest_posts(&self, path: &str, form: &[(&str, &str)]) -> Reply {
        let request = Request::builder().method(Method::POST).uri(path);
        let request =
            request.header("content-type", "application/x-www-form-urlencoded").header("sec-fetch-site", "same-origin");
        self.call(request.body(Body::from(form_body(form))).unwrap()).await
    }

    /// Returns the names of the files in a folder within the media folder.
    pub fn media_files(&self, folder: &str) -> Vec<String> {
        let Ok(found) = std::fs::read_dir(self.folder.path().join("media").join(folder)) else { return Vec::new() };
        found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Sets back the time of every file within a folder of the media folder, so far that a sweep may remove the files.
    pub fn age_pictures(&self, folder: &str) {
        let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW.unsigned_abs()) - ORPHAN;
        for inner in self.media_files(folder) {
            for file in self.media_files(&format!("{folder}/{inner}")) {
                let path = self.folder.path().join("media").join(folder).join(&inner).join(file);
                std::fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
            }
        }
    }
}
