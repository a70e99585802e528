//! Tests of the whole app in one process: catalog, outbox, indexer, engine, API.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod account {
    mod addresses;
    mod captcha;
    mod change;
    mod confirm;
    mod disclosure;
    mod erasure;
    mod flood;
    mod limits;
    mod login;
    mod mail;
    mod mails;
    mod openid;
    mod restore;
    mod session;
    pub mod signup;
    mod takeover;
}
mod action {
    mod favourites;
    mod guard;
    mod people;
    mod undo;
    mod views;
    mod votes;
}
mod album;
mod area {
    mod lists;
    mod messages;
    mod notifications;
    mod permission_pages;
    pub mod permissions;
    pub mod pictures;
    mod profile;
    mod uploads;
}
mod cache {
    mod answers;
    mod changes;
    mod purge;
}
mod changed_limits;
mod comment {
    mod likes;
    mod lists;
    mod repetition;
    mod replies;
    mod undo;
    mod write;
}
mod home;
mod http {
    mod answers;
    mod connections;
    mod cost;
    mod draining;
    mod errors;
    mod hidden;
    mod hostile;
    mod panics;
    mod random;
    mod stalled;
}
mod judged;
mod media;
mod member;
mod model;
mod model_names;
mod moderate {
    mod community;
    pub mod consent;
    pub mod decide;
    pub mod evasion;
    pub mod likeness;
    mod reports;
    mod safeguards;
    mod second_step;
    mod take_down;
}
mod mute;
mod openapi {
    mod addresses;
    mod document;
}
mod own_album {
    pub mod edit;
    mod people;
    mod pictures;
}
mod page {
    pub mod answers;
    mod business;
    mod community;
    mod crawlers;
    pub mod dom;
    mod embed;
    mod feeds;
    mod files;
    mod gate;
    mod head;
    mod limits;
    mod list_texts;
    mod lists;
    mod screens;
    mod sitemap;
    mod visits;
}
mod playlist {
    mod edit;
    mod lists;
}
mod remake {
    mod failed;
    pub mod originals;
    pub mod remade;
}
mod replace {
    mod ended;
    mod hidden;
    mod refused;
    pub mod swapped;
}
mod report {
    mod decisions;
    pub mod send;
    mod standing;
    mod storage;
}
mod search {
    mod additions;
    mod ask;
    mod badges;
    mod clicks;
    mod explain;
    mod forms;
    pub mod log;
    mod meaning;
    mod saved;
    mod server;
    mod spelling;
    mod spoken;
    mod suggest;
}
mod stored;
mod stored_pictures;
mod stored_uploads;
mod support;
mod terms;
mod upload {
    mod bounds;
    mod deleted;
    pub mod films;
    mod silent;
    pub mod tus;
    pub mod whole;
    mod work;
}
mod video {
    mod captions;
    mod chapters;
    mod counts;
    mod decisions;
    mod download;
    mod lists;
    mod names;
    mod pictured;
    pub mod poster;
    mod promo;
    mod rating;
    mod scheduled;
    mod show;
    mod spoken;
    pub mod timeline;
    mod titles;
}
