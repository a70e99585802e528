//! Index `albums`.

use lantern_catalog::documents::albums::AlbumRow;
use lantern_index::{AlbumDoc, ByLang};

use super::{Spellings, decimal, japanese, names, shown_names, tags};

pub fn from_row(AlbumRow { columns: row, categories, models }: AlbumRow, spelled: &mut Spellings) -> AlbumDoc {
    AlbumDoc {
        id: row.id,
        words: spelled.companions(&row.title, &row.lang, &ByLang::new()),
        names: spelled.names(names(&models)),
        tags: tags(&categories, spelled),
        ja: japanese([row.title.as_str()]),
        category_dirs: categories.iter().map(|category| category.dir.clone()).collect(),
        model_dirs: models.iter().map(|model| model.dir.clone()).collect(),
        model_titles: models.iter().map(|model| model.title.clone()).collect(),
        model_names: shown_names(&models),
        dir: row.dir,
        lang: row.lang,
        title: row.title,
        gender: row.gender,
        user_id: row.user_id,
        post_date: row.post_date.unix_timestamp(),
        viewed: row.viewed,
        comments: row.comments.into(),
        rating: decimal(row.rating),
        standing: decimal(row.standing),
        photos_amount: row.photos_amount,
        media_key: row.media_key,
    }
}
