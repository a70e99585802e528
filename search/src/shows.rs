//! Objects that cached responses show. If one of them changes, the response is invalidated. Objects that are only mentioned alongside
//! (titles of categories, counted models) are updated with the next computation, or immediately when they are removed.

use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};

use crate::index::{MemberCard, ModelCard, VideoCard, VideosAnswer};

impl Shows for VideosAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        videos(&self.videos, objects);
        self.partial.iter().for_each(|partial| videos(&partial.videos, objects));
        objects.extend(self.playlist.map(|id| (Entity::Playlist, id)));
    }
}

/// Adds the videos in a list, and the list itself, which lacks videos that are published later.
pub fn videos(cards: &[VideoCard], objects: &mut Vec<Object>) {
    objects.push((Entity::Video, LIST));
    objects.extend(cards.iter().map(|card| (Entity::Video, card.video_id)));
}

/// Adds the models in a list.
pub fn models(cards: &[ModelCard], objects: &mut Vec<Object>) {
    objects.extend(cards.iter().map(|card| (Entity::Model, card.model_id)));
}

/// Adds the members in a list.
pub fn members(cards: &[MemberCard], objects: &mut Vec<Object>) {
    objects.extend(cards.iter().map(|card| (Entity::User, card.user_id)));
}
