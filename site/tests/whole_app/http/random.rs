//! 200 random valid requests per endpoint. Each gets a response or a documented refusal, but never a 5xx.

use lantern_config::{
    AlbumSort, CommentSection, DateRange, Gender, Lang, MemberSort, ModelSort, PlaylistSort, VideoSort, VideoType,
    labels, lifetimes,
};
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use crate::support::App;

const REQUESTS: usize = 200;
const DIRS: [&str; 7] = ["travel", "dance", "city", "light", "music", "yoga", "nowhere"];
const MODELS: [&str; 4] = ["mika-sato", "anna-lind", "kai-ono", "nobody"];
const WORDS: [&str; 8] = ["night", "market", "harbour", "рынок", "温泉", "neon", "yuki", "xyzzy"];

struct Dice(ChaCha8Rng);

impl Dice {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        *of.choose(&mut self.0).unwrap()
    }
    fn below(&mut self, n: u32) -> u32 {
        self.0.random_range(0..n)
    }
    fn words(&mut self) -> String {
        let count = 1 + self.below(4);
        let words: Vec<&str> = (0..count).map(|_| self.one(&WORDS)).collect();
        words
            .join("+")
            .bytes()
            .map(|b| if b.is_ascii() { char::from(b).to_string() } else { format!("%{b:02x}") })
            .collect()
    }
    fn lang(&mut self) -> Lang {
        self.one(Lang::ALL)
    }
    fn tail(&mut self) -> String {
        let duration = match self.below(6) {
            0 => "short".to_owned(),
            1 => "medium".to_owned(),
            2 => "long".to_owned(),
            3 => format!("{}-{}", self.below(20), 20 + self.below(60)),
            4 => String::new(),
            _ => "all".to_owned(),
        };
        format!("{}.{}.{duration}.{}", 1 + self.below(9), self.one(VideoType::ALL), self.one(DateRange::ALL))
    }
    fn head(&mut self, relevance: bool) -> String {
        let sort = loop {
            let sort = self.one(VideoSort::ALL);
            if relevance || sort != VideoSort::Relevance {
                break sort;
            }
        };
        format!("{}/{}/{sort}/{}", self.one(lifetimes::LISTS), self.one(Gender::ALL), 1 + self.below(100))
    }
    fn section(&mut self) -> String {
        match self.below(7) {
            0 => "all.".to_owned(),
            1 => {
                let dirs: Vec<&str> = (0..=self.below(3)).map(|_| self.one(&DIRS)).collect();
                format!("categories.{}", dirs.join(","))
            }
            2 => format!("model.{}", self.one(&MODELS)),
            3 => format!("channel.{}", 1 + self.below(3)),
            4 => format!("member.{}", 1 + self.below(3)),
            5 => format!("playlist.{}", self.one(&[1, 2, 3, 8, 29, 30])),
            _ => format!("top-country.{}", self.one(&["JP", "DE", "US", "XX"])),
        }
    }
    fn filters(&mut self) -> String {
        let mut out = "filt".to_owned();
        for name in ["race", "age", "country", "hair_color", "height", "tattoo"] {
            if self.below(3) > 0 {
                continue;
            }
            let codes = labels::codes(name);
            let value = match name {
                "age" => format!("{}.{}", 18 + self.below(20), 38 + self.below(30)),
                "height" => format!("{}.{}", 100 + self.below(60), 160 + self.below(60)),
                _ => {
                    let some: Vec<&str> = (0..=self.below(3)).map(|_| self.one(&codes)).collect();
                    some.join(",")
                }
            };
            out.push_str(&format!("-{name}~{value}"));
        }
        out
    }
}

async fn all_answer(seed: u64, request: impl Fn(&mut Dice) -> String) {
    let app = App::start().await;
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(seed));
    let mut answered = 0;
    for _ in 0..REQUESTS {
        let path = request(&mut dice);
        let reply = app.get(&path).await;
        assert!(matches!(reply.status, 200 | 404), "{} {path}: {}", reply.status, reply.text());
        if reply.status == 200 {
            answered += 1;
            reply.json();
        } else {
            assert!(reply.json()["code"].as_str().unwrap().ends_with("not_found"), "{path}: {}", reply.text());
        }
    }
    assert!(answered * 2 > REQUESTS, "{answered} of {REQUESTS} found something");
    app.finish().await;
}

#[tokio::test]
async fn listings_answer_random_requests() {
    all_answer(1, |dice| {
        format!("/api/json/videos2/{}/{}.{}.json?lang={}", dice.head(false), dice.section(), dice.tail(), dice.lang())
    })
    .await;
}

#[tokio::test]
async fn searches_answer_random_requests() {
    all_answer(2, |dice| {
        let (head, tail, words, lang) = (dice.head(true), dice.tail(), dice.words(), dice.lang());
        let categories = dice.one(&["", "&categories=music", "&categories=music,travel"]);
        format!("/api/videos2.php?params={head}/search..{tail}&s={words}&lang={lang}{categories}")
    })
    .await;
}

#[tokio::test]
async fn single_videos_answer_random_requests() {
    all_answer(3, |dice| format!("/api/json/video/86400/0/{}.json?lang={}", 1 + dice.below(330), dice.lang())).await;
}

#[tokio::test]
async fn related_videos_answer_random_requests() {
    all_answer(4, |dice| {
        let (count, id, kind) = (dice.one(&[12, 20]), 1 + dice.below(330), dice.one(VideoType::ALL));
        format!(
            "/api/json/videos_related2/432000/{count}/0/{id}.{kind}.{}.json?lang={}",
            1 + dice.below(6),
            dice.lang()
        )
    })
    .await;
}

#[tokio::test]
async fn frequent_searches_answer_random_requests() {
    all_answer(5, |dice| format!("/api/json/suggester/43200/{}.json?lang={}", 1 + dice.below(100), dice.lang())).await;
}

#[tokio::test]
async fn suggestions_answer_random_requests() {
    all_answer(9, |dice| {
        format!("/api/suggester.php?c={}&lang={}&count={}", dice.words(), dice.lang(), 1 + dice.below(20))
    })
    .await;
}

#[tokio::test]
async fn facets_answer_random_requests() {
    all_answer(6, |dice| {
        let facet = dice.one(&["categories", "race", "country", "tits_size", "hair_color", "tattoo", "piercing"]);
        format!(
            "/api/facets.php?facet={facet}&q={}&lang={}&gender={}",
            dice.words(),
            dice.lang(),
            dice.one(Gender::ALL)
        )
    })
    .await;
}

#[tokio::test]
async fn model_lists_answer_random_requests() {
    all_answer(7, |dice| {
        let (gender, filters, sort) = (dice.one(Gender::ALL), dice.filters(), dice.one(ModelSort::ALL));
        format!(
            "/api/json/models/86400/{gender}/{filters}/{sort}/{}/{}.json?lang={}",
            1 + dice.below(100),
            1 + dice.below(3),
            dice.lang()
        )
    })
    .await;
}

#[tokio::test]
async fn main_data_answers_random_requests() {
    all_answer(8, |dice| {
        format!("/api/json/main/{}/{}.{}.json", dice.one(&[14400, 86400]), dice.one(Gender::ALL), dice.lang())
    })
    .await;
}

#[tokio::test]
async fn category_lists_answer_random_requests() {
    all_answer(10, |dice| {
        let section = dice.one(&["all", "sidebar", "letters"]);
        format!("/api/json/categories/86400/{}.{section}.{}.json", dice.one(Gender::ALL), dice.lang())
    })
    .await;
}

#[tokio::test]
async fn single_models_answer_random_requests() {
    all_answer(11, |dice| {
        let dir = dice.one(&MODELS);
        format!("/api/json/model/86400/{}/{dir}.json?lang={}", &dir[..2], dice.lang())
    })
    .await;
}

#[tokio::test]
async fn film_links_answer_random_requests() {
    // Private videos are refused with 403, which a separate test covers.
    all_answer(12, |dice| format!("/api/videofile.php?video_id={}", 1 + dice.below(40))).await;
}

#[tokio::test]
async fn album_lists_answer_random_requests() {
    all_answer(13, |dice| {
        let section = match dice.below(4) {
            0 => "all.".to_owned(),
            1 => format!("categories.{}", dice.one(&DIRS)),
            2 => format!("model.{}", dice.one(&MODELS)),
            _ => format!("member.{}", 1 + dice.below(4)),
        };
        let (gender, sort, count) = (dice.one(Gender::ALL), dice.one(AlbumSort::ALL), 1 + dice.below(100));
        format!(
            "/api/json/albums/86400/{gender}/{sort}/{count}/{section}.{}.json?lang={}",
            1 + dice.below(4),
            dice.lang()
        )
    })
    .await;
}

#[tokio::test]
async fn single_albums_answer_random_requests() {
    // Private videos are refused with 403, which a separate test covers.
    all_answer(14, |dice| {
        format!("/api/json/album/86400/0/{}.json?lang={}", dice.one(&[1, 2, 7, 20, 61]), dice.lang())
    })
    .await;
}

#[tokio::test]
async fn playlist_lists_answer_random_requests() {
    all_answer(15, |dice| {
        let section = if dice.below(2) == 0 { "all.".to_owned() } else { format!("member.{}", 1 + dice.below(4)) };
        let (gender, sort, count) = (dice.one(Gender::ALL), dice.one(PlaylistSort::ALL), 1 + dice.below(100));
        format!("/api/json/playlists/86400/{gender}/{sort}/{count}/{section}.{}.json", 1 + dice.below(4))
    })
    .await;
}

#[tokio::test]
async fn single_playlists_answer_random_requests() {
    all_answer(16, |dice| format!("/api/json/playlist/86400/0/{}.json", dice.one(&[1, 2, 3, 8, 29, 30, 31]))).await;
}

#[tokio::test]
async fn member_lists_answer_random_requests() {
    all_answer(17, |dice| {
        let mut filters = "filt".to_owned();
        for name in ["country", "gender", "relationship", "avatar", "orientation"] {
            if dice.below(3) == 0 {
                let codes = labels::codes(name);
                filters.push_str(&format!("-{name}~{},{}", dice.one(&codes), dice.one(&codes)));
            }
        }
        let (sort, count) = (dice.one(MemberSort::ALL), 1 + dice.below(100));
        format!("/api/json/members/7200/{filters}/{sort}/{count}/{}.json?lang={}", 1 + dice.below(3), dice.lang())
    })
    .await;
}

#[tokio::test]
async fn member_pages_answer_random_requests() {
    all_answer(18, |dice| {
        let (call, member, page) =
            (dice.one(&["member_wall", "friends", "subscriptions"]), 1 + dice.below(44), 1 + dice.below(3));
        format!("/api/json/{call}/7200/0/{member}.{page}.json")
    })
    .await;
    all_answer(19, |dice| format!("/api/json/member/7200/0/{}.json", 1 + dice.below(44))).await;
}

#[tokio::test]
async fn comments_and_model_walls_answer_random_requests() {
    all_answer(20, |dice| {
        let (section, id) = (dice.one(CommentSection::ALL), 1 + dice.below(14));
        format!("/api/json/comments/{}/{section}/0/{id}.json?page={}", dice.one(lifetimes::COMMENTS), 1 + dice.below(5))
    })
    .await;
    all_answer(21, |dice| {
        let dir = dice.one(&MODELS);
        format!("/api/json/model_wall/86400/{}/{dir}.{}.json", &dir[..2], 1 + dice.below(4))
    })
    .await;
}

#[tokio::test]
async fn friend_sites_answer_random_requests() {
    all_answer(22, |dice| {
        format!("/static/tf/videos.{}.json?gender={}&lang={}", 1 + dice.below(1000), dice.one(Gender::ALL), dice.lang())
    })
    .await;
}
