//! The whole app, in process: catalog, outbox, indexer, engine, api.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod accounts_session;
mod albums;
mod cache;
mod changes;
mod community;
mod home;
mod hostile;
mod html_answers;
mod html_community;
mod html_crawlers;
mod html_dom;
mod html_embed;
mod html_feeds;
mod html_gate;
mod html_head;
mod html_pages;
mod html_sitemap;
mod http;
mod judged;
mod listings;
mod members;
mod models;
mod openapi;
mod pages;
mod playlists;
mod promo;
mod random;
mod search;
mod search_extras;
mod server;
mod stat_comments;
mod stat_guard;
mod stat_lists;
mod stat_people;
mod stat_playlists;
mod stat_views;
mod stat_votes;
mod support;
mod videos;
