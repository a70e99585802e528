//! Which objects the kept answers show. A change of one of them outdates the answer; what is only named beside them (titles of
//! categories, counted models) follows with the next computation, and at once when it goes away.

use lantern_catalog::{changes::Object, outbox::Entity};

use crate::{
    cache::Shows,
    index::{ModelCard, VideoCard, VideosAnswer},
};

impl Shows for VideosAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        videos(&self.videos, objects);
    }
}

/// The videos of a list.
pub fn videos(cards: &[VideoCard], objects: &mut Vec<Object>) {
    objects.extend(cards.iter().map(|card| (Entity::Video, card.video_id)));
}

/// The models of a list.
pub fn models(cards: &[ModelCard], objects: &mut Vec<Object>) {
    objects.extend(cards.iter().map(|card| (Entity::Model, card.model_id)));
}
