//! Which objects cached responses show. A change of one of them invalidates the response; what is only named beside them (titles of
//! categories, counted models) follows with the next computation, and at once when it goes away.

use lantern_catalog::{
    changes::{Object, Shows},
    outbox::Entity,
};

use crate::index::{MemberCard, ModelCard, VideoCard, VideosAnswer};

impl Shows for VideosAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        videos(&self.videos, objects);
        objects.extend(self.playlist.map(|id| (Entity::Playlist, id)));
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

/// The members of a list.
pub fn members(cards: &[MemberCard], objects: &mut Vec<Object>) {
    objects.extend(cards.iter().map(|card| (Entity::User, card.user_id)));
}
