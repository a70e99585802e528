//! Delimited files, whose columns are mapped to the fields of a video.

use anyhow::{Context, bail};

use super::line::{Duration, Embed, Video};

/// Fields that a column may hold.
pub const FIELDS: [&str; 25] = [
    "id",
    "title",
    "lang",
    "description",
    "chapters",
    "orientation",
    "duration",
    "date",
    "publish_at",
    "categories",
    "models",
    "private",
    "hd",
    "views",
    "likes",
    "dislikes",
    "member",
    "nobody",
    "cleared",
    "exclusive",
    "embed",
    "file",
    "address",
    "picture_file",
    "picture_address",
];
/// Name for a column that is to be skipped.
const NONE: &str = "-";

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Columns {
    fields: Vec<String>,
    /// Separator of names in a list.
    list: char,
    /// Site of the ids in the column `embed`, which is a key of `[embeds]`.
    site: Option<String>,
}

impl Columns {
    /// Parses comma-separated column names.
    pub fn new(names: &str, list: char, site: Option<String>) -> anyhow::Result<Self> {
        let fields: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        for (at, field) in fields.iter().enumerate() {
            if field != NONE && !FIELDS.contains(&field.as_str()) {
                bail!(
                    "--columns: unknown field {field:?}; known are {}, and {NONE} to skip a column",
                    FIELDS.join(", ")
                );
            }
            if field != NONE && fields[..at].contains(field) {
                bail!("--columns: duplicate field {field}");
            }
        }
        for needed in ["id", "title"] {
            if !fields.iter().any(|field| field == needed) {
                bail!("--columns: {needed} is missing");
            }
        }
        if fields.iter().any(|field| field == "embed") && site.is_none() {
            bail!("--columns: embed needs --site, a key of [embeds]");
        }
        Ok(Self { fields, list, site })
    }

    /// Converts a row to a video.
    pub fn video(&self, row: &csv::StringRecord) -> anyhow::Result<Video> {
        if row.len() != self.fields.len() {
            bail!("expected {} columns, found {}", self.fields.len(), row.len());
        }
        let mut video = Video::default();
        for (field, value) in self.fields.iter().zip(row) {
            let value = value.trim();
            if !value.is_empty() {
                self.set(&mut video, field, value)?;
            }
        }
        Ok(video)
    }

    /// Returns the id in a row, although other columns are invalid.
    pub fn id(&self, row: &csv::StringRecord) -> String {
        let at = self.fields.iter().position(|field| field == "id");
        at.and_then(|at| row.get(at)).unwrap_or_default().trim().to_owned()
    }

    fn set(&self, video: &mut Video, field: &str, value: &str) -> anyhow::Result<()> {
        let text = || value.to_owned();
        let list =
            || value.split(self.list).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        match field {
            "id" => video.id = text(),
            "title" => video.title = text(),
            "lang" => video.lang = Some(text()),
            "description" => video.description = text(),
            "chapters" => video.chapters = text(),
            "orientation" => video.orientation = Some(text()),
            "duration" => video.duration = Some(Duration::Text(text())),
            "date" => video.date = Some(text()),
            "publish_at" => video.publish_at = Some(text()),
            "categories" => video.categories = list(),
            "models" => video.models = list(),
            "private" => video.private = flag(field, value)?,
            "hd" => video.hd = flag(field, value)?,
            "views" => video.views = number(field, value)?,
            "likes" => video.likes = number(field, value)?,
            "dislikes" => video.dislikes = number(field, value)?,
            "member" => video.member = Some(text()),
            "nobody" => video.nobody = flag(field, value)?,
            "cleared" => video.cleared = flag(field, value)?,
            "exclusive" => video.exclusive = flag(field, value)?,
            "embed" => video.embed = self.site.clone().map(|site| Embed { site, id: text() }),
            "file" => video.file = Some(text()),
            "address" => video.address = Some(text()),
            "picture_file" => video.picture_file = Some(text()),
            "picture_address" => video.picture_address = Some(text()),
            _ => {}
        }
        Ok(())
    }
}

fn number(field: &str, value: &str) -> anyhow::Result<i64> {
    value.parse().with_context(|| format!("{field} is {value:?}, not a whole number"))
}

fn flag(field: &str, value: &str) -> anyhow::Result<bool> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" => Ok(true),
        "0" | "false" | "no" => Ok(false),
        _ => bail!("{field} is {value:?}, not 0 or 1"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[&str]) -> csv::StringRecord {
        csv::StringRecord::from(values.to_vec())
    }

    #[test]
    fn row_becomes_video() {
        let columns = Columns::new("id,-,title,duration,categories,embed,hd", ';', Some("videos".to_owned())).unwrap();
        let video = columns.video(&row(&["7", "x", " A walk ", "12:34", "Travel; City;", "ab1", "1"])).unwrap();
        assert_eq!((video.id.as_str(), video.title.as_str()), ("7", "A walk"));
        assert_eq!(video.categories, ["Travel", "City"]);
        assert_eq!(video.embed, Some(Embed { site: "videos".to_owned(), id: "ab1".to_owned() }));
        assert!(video.hd);
        let short = row(&["7"]);
        assert_eq!(columns.video(&short).unwrap_err().to_string(), "expected 7 columns, found 1");
        assert_eq!(columns.id(&short), "7");
    }

    #[test]
    fn invalid_columns_are_refused() {
        for names in ["title", "id,title,title", "id,title,colour", "id,title,embed"] {
            assert!(Columns::new(names, ';', None).is_err(), "{names}");
        }
    }
}
