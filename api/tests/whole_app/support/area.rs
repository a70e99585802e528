//! What tests of the member area look at.

use axum::{
    body::Body,
    http::{Method, Request},
};

use super::{App, Reply, form_body};

impl App {
    /// A form that our own page sends for a guest.
    pub async fn guest_posts(&self, path: &str, form: &[(&str, &str)]) -> Reply {
        let request = Request::builder().method(Method::POST).uri(path);
        let request =
            request.header("content-type", "application/x-www-form-urlencoded").header("sec-fetch-site", "same-origin");
        self.call(request.body(Body::from(form_body(form))).unwrap()).await
    }

    /// Names of the files in a folder of the media folder.
    pub fn media_files(&self, folder: &str) -> Vec<String> {
        let Ok(found) = std::fs::read_dir(self.folder.path().join("media").join(folder)) else { return Vec::new() };
        found.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }
}
