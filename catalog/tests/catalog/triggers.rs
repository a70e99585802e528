//! Rules in `0006_outbox.sql`, which determine the objects that a change enqueues.

use lantern_testing::TestDb;
use sqlx::AssertSqlSafe;

/// Two visible videos by one uploader. The first one has a category, a model, a playlist and a translation.
const WORLD: &str = "
    insert into users (username, email) values ('anna', 'anna@mail.example'), ('bert', 'bert@mail.example');
    insert into categories (dir) values ('dance'), ('city');
    insert into category_titles values (1, 'en', 'Dance'), (2, 'en', 'City');
    insert into models (dir, title, gender, birth_date) values ('yui', 'Yui', 'str', '1990-01-01'),
        ('ken', 'Ken', 'str', '1990-01-01');
    insert into videos (dir, title, lang, gender, duration, user_id)
        values ('a', 'A', 'en', 'str', 10, 1), ('b', 'B', 'en', 'str', 10, 1);
    insert into video_translations values (1, 'de', 'Ah', '');
    insert into video_categories values (1, 1);
    insert into video_models values (1, 1);
    insert into playlists (user_id, title, description) values (1, 'Evenings', 'For evenings');
    insert into playlist_items (playlist_id, video_id, position) values (1, 1, 1);
    insert into albums (dir, title, lang, gender, user_id) values ('x', 'X', 'en', 'str', 1);
    insert into photos (album_id, position, media_key, width, height) values (1, 1, 'k', 10, 10);
    insert into album_categories values (1, 1);
    insert into album_models values (1, 1);
    insert into profiles (user_id) values (1);
    insert into outbox_consumers (name) values ('a');";

/// Returns what `change` enqueues in `WORLD`, sorted and without duplicates.
async fn enqueued(change: &str) -> Vec<String> {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(change.to_owned())).execute(&db.pool).await.unwrap();
    sqlx::query_scalar("select distinct entity || entity_id from outbox order by 1").fetch_all(&db.pool).await.unwrap()
}

#[tokio::test]
async fn derived_changes_are_marked_apart_from_renamed_objects() {
    let db = TestDb::create().await.unwrap();
    let channel = "insert into channels (dir, title, url) values ('c', 'C', 'https://c.example/'); update videos set channel_id = 1 where id = 2; delete from outbox";
    for sql in [WORLD, channel] {
        sqlx::raw_sql(sql).execute(&db.pool).await.unwrap();
    }
    let renamed = "update category_titles set title = 'Tanz' where category_id = 1; update models set title = 'Yuki' where id = 1;
        insert into model_names values (1, 'ja', '結衣'); update channels set title = 'D'";
    sqlx::raw_sql(renamed).execute(&db.pool).await.unwrap();
    let query =
        "select distinct entity || entity_id || case when derived then ' derived' else '' end from outbox order by 1";
    let rows: Vec<String> = sqlx::query_scalar(query).fetch_all(&db.pool).await.unwrap();
    assert_eq!(rows, ["album1 derived", "category1", "model1", "video1 derived", "video2 derived"]);
}

macro_rules! rules {
    ($($name:ident: $change:literal => [$($mark:literal),*];)+) => {
        $(#[tokio::test]
        async fn $name() {
            assert_eq!(enqueued($change).await, [$($mark),*] as [&str; _]);
        })+
    };
}

rules! {
    a_moderated_comment_enqueues_the_commented_object: "insert into comments (section, object_id, user_id, body) values ('video', 1, 1, 'Hello there'), ('model', 2, 1, 'Hello there'); delete from outbox; update comments set deleted_at = now() where section = 'video'; delete from comments where section = 'model'" => ["model2", "video1"];
    a_moderated_wall_enqueues_its_owner: "insert into walls (user_id, author_id, body) values (2, 1, 'Hello there'); delete from outbox; update walls set deleted_at = now()" => ["user2"];
    an_ended_friendship_enqueues_both: "insert into friends (user_id, friend_id) values (1, 2); delete from friends" => ["user1", "user2"];
    an_ended_subscription_enqueues_the_follower: "insert into subscriptions (user_id, section, object_id) values (2, 'model', 1); delete from outbox; delete from subscriptions" => ["user2"];
    a_confirmed_account_enqueues_itself: "update users set email_confirmed_at = now() where id = 2; delete from outbox where entity_id = 1; update users set email_confirmed_at = now() - interval '1 day' where id = 2" => ["user2"];
    a_changed_title_enqueues_the_video: "update videos set title = 'New' where id = 1" => ["video1"];
    a_statement_that_changes_nothing_enqueues_nothing: "update videos set title = title" => [];
    columns_absent_from_documents_enqueue_nothing: "update videos set readd_at = now(); update videos set status_id = in_review(), publish_at = now() + interval '1 day' where id = 1; delete from outbox; update videos set publish_at = now() + interval '2 days' where id = 1; update users set password_hash = 'x', email = 'n@mail.example' where id = 1" => [];
    a_new_video_enqueues_itself_and_its_uploader: "insert into videos (dir, title, lang, gender, duration, user_id) values ('c', 'C', 'en', 'str', 10, 2)" => ["user2", "video3"];
    a_new_private_video_does_not_enqueue_its_uploader: "insert into videos (dir, title, lang, gender, duration, user_id, is_private) values ('c', 'C', 'en', 'str', 10, 2, true)" => ["video3"];
    becoming_private_enqueues_all_totals: "update videos set is_private = true where id = 1" => ["category1", "model1", "playlist1", "user1", "video1"];
    deletion_by_status_enqueues_all_totals: "update videos set status_id = deleted() where id = 1" => ["category1", "model1", "playlist1", "user1", "video1"];
    a_changed_gender_enqueues_totals: "update videos set gender = 'gay' where id = 1" => ["category1", "model1", "playlist1", "video1"];
    a_hidden_video_changing_gender_enqueues_no_totals: "update videos set is_private = true where id = 1; delete from outbox; update videos set gender = 'gay' where id = 1" => ["video1"];
    a_new_uploader_enqueues_both: "update videos set user_id = 2 where id = 1" => ["user1", "user2", "video1"];
    a_hard_delete_enqueues_everything_it_touched: "delete from videos where id = 1" => ["category1", "model1", "playlist1", "user1", "video1"];
    a_translation_enqueues_its_video: "update video_translations set title = 'Oh'; insert into video_translations values (2, 'fr', 'B', '')" => ["video1", "video2"];
    a_deleted_translation_enqueues_its_video: "delete from video_translations" => ["video1"];
    new_captions_enqueue_their_video: "insert into captions (video_id, lang, kind, cues) values (2, 'en', 'subtitles', '[]')" => ["video2"];
    changed_captions_enqueue_their_video: "insert into captions (video_id, lang, kind, cues) values (1, 'en', 'subtitles', '[]'), (2, 'en', 'subtitles', '[]'); delete from outbox; update captions set cues = '[{}]' where video_id = 1; update captions set is_of_film = true" => ["video1"];
    removed_captions_enqueue_their_video: "insert into captions (video_id, lang, kind, cues) values (1, 'en', 'subtitles', '[]'); delete from outbox; delete from captions" => ["video1"];
    truncated_captions_enqueue_their_videos: "insert into captions (video_id, lang, kind, cues) values (1, 'en', 'subtitles', '[]'); delete from outbox; truncate captions" => ["video1"];
    a_linked_category_enqueues_both_ends: "insert into video_categories values (2, 2)" => ["category2", "video2"];
    an_unlinked_model_enqueues_both_ends: "delete from video_models" => ["model1", "video1"];
    a_moved_link_enqueues_old_and_new: "update video_models set model_id = 2" => ["model1", "model2", "video1"];
    a_renamed_model_enqueues_objects_that_show_the_name: "update models set title = 'Yui H' where id = 1" => ["album1", "model1", "video1"];
    new_aliases_enqueue_objects_found_by_them: "update models set aliases = '{結衣}' where id = 1" => ["album1", "model1", "video1"];
    a_new_name_enqueues_objects_that_show_it: "insert into model_names values (1, 'ja', '結衣')" => ["album1", "model1", "video1"];
    a_changed_name_enqueues_objects_that_show_it: "insert into model_names values (1, 'ja', '結衣'), (2, 'ja', '健'); delete from outbox; update model_names set name = '唯' where model_id = 1" => ["album1", "model1", "video1"];
    a_removed_name_enqueues_objects_that_showed_it: "insert into model_names values (1, 'ja', '結衣'); delete from outbox; delete from model_names" => ["album1", "model1", "video1"];
    an_unchanged_name_enqueues_nothing: "insert into model_names values (1, 'ja', '結衣'); delete from outbox; update model_names set name = name" => [];
    other_model_fields_enqueue_only_the_model: "update models set height = 170 where id = 1" => ["model1"];
    a_deleted_model_enqueues_its_videos: "delete from models where id = 1" => ["album1", "model1", "video1"];
    a_category_title_enqueues_objects_labelled_with_it: "update category_titles set title = 'Tanz' where category_id = 1" => ["album1", "category1", "video1"];
    a_new_category_dir_enqueues_objects_filtered_by_it: "update categories set dir = 'dancing' where id = 1" => ["album1", "category1", "video1"];
    a_category_position_enqueues_only_the_category: "update categories set position = 9 where id = 1" => ["category1"];
    a_photo_enqueues_its_album: "insert into photos (album_id, position, media_key, width, height) values (1, 2, 'k', 1, 1)" => ["album1"];
    album_links_enqueue_the_album: "delete from album_categories; delete from album_models" => ["album1"];
    a_playlist_and_its_items_enqueue_it: "update playlist_items set position = 2" => ["playlist1"];
    a_playlist_becoming_private_enqueues_it: "update playlists set visibility = 'private'" => ["playlist1"];
    a_profile_enqueues_its_member: "update profiles set country = 'JP'" => ["user1"];
    a_deleted_member_enqueues_their_objects: "delete from users where id = 1" => ["album1", "playlist1", "user1", "video1", "video2"];
    a_comment_enqueues_the_commented_object: "insert into comments (section, object_id, user_id, body) values ('video', 1, 1, 'hello there'), ('video', 1, 2, 'hello there')" => ["video1"];
    a_wall_entry_enqueues_its_owner: "insert into walls (user_id, author_id, body) values (2, 1, 'Hello there')" => ["user2"];
    a_subscription_enqueues_the_follower: "insert into subscriptions (user_id, section, object_id) values (2, 'model', 1)" => ["user2"];
    counters_enqueue_nothing: "update video_stats set viewed = viewed + 1; insert into votes (section, object_id, user_id, vote) values ('video', 1, 1, 1); insert into favourites values (1, 1)" => [];
    a_bulk_load_may_disable_the_triggers: "begin; set local session_replication_role = replica; update videos set title = 'New'; commit" => [];
}

#[tokio::test]
async fn one_statement_writes_one_row_per_object() {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    sqlx::raw_sql("update videos set title = title || '!'").execute(&db.pool).await.unwrap();
    let rows: i64 = sqlx::query_scalar("select count(*) from outbox").fetch_one(&db.pool).await.unwrap();
    assert_eq!(rows, 2);
}

#[tokio::test]
async fn rating_is_the_share_of_likes_and_standing_discounts_few_votes() {
    let db = TestDb::create().await.unwrap();
    for (likes, dislikes, rating, standing) in
        [(0, 0, 0.0, 0.0), (1, 0, 5.0, 3.0), (0, 1, 0.0, 2.0), (10, 2, 4.17, 3.75), (990, 10, 4.95, 4.94)]
    {
        let computed: (f32, f32) = sqlx::query_as("select rating_of($1, $2), standing_of($1, $2)")
            .bind(likes)
            .bind(dislikes)
            .fetch_one(&db.pool)
            .await
            .unwrap();
        assert_eq!(computed, (rating, standing), "{likes} of {}", likes + dislikes);
    }
}

#[tokio::test]
async fn counters_update_immediately_and_leave_one_mark_per_object() {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    sqlx::raw_sql(
        "insert into comments (section, object_id, user_id, body) values ('video', 1, 1, 'one to keep'), ('video', 1, 2, 'one to go');
         update comments set deleted_at = now() where id = 2;
         insert into votes (section, object_id, user_id, vote) values ('video', 1, 1, 1), ('video', 1, 2, -1), ('model', 1, 1, 1);
         insert into favourites (user_id, video_id) values (1, 1), (2, 1);
         delete from favourites where user_id = 1;
         insert into subscriptions (user_id, section, object_id) values (1, 'model', 1);",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let video: (i32, i32, i32, i32, f32) =
        sqlx::query_as("select comments, likes, dislikes, favourites, rating from video_stats where video_id = 1")
            .fetch_one(&db.pool)
            .await
            .unwrap();
    assert_eq!(video, (1, 1, 1, 1, 2.5));
    let model: (i32, i32) = sqlx::query_as("select likes, subscribers from model_stats where model_id = 1")
        .fetch_one(&db.pool)
        .await
        .unwrap();
    assert_eq!(model, (1, 1));
    let marks: Vec<String> = sqlx::query_scalar("select entity || entity_id from counter_marks order by 1")
        .fetch_all(&db.pool)
        .await
        .unwrap();
    assert_eq!(marks, ["model1", "video1"]);
}

#[tokio::test]
async fn view_windows_age_daily() {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    sqlx::raw_sql("insert into view_days values (1, '2026-01-30', 1), (1, '2026-01-25', 2), (1, '2026-01-05', 4)")
        .execute(&db.pool)
        .await
        .unwrap();
    for (today, expected) in [("2026-01-30", (1, 3, 7)), ("2026-02-01", (0, 1, 7)), ("2026-03-05", (0, 0, 0))] {
        sqlx::query("select roll_view_windows($1::date)")
            .bind(today.parse::<Day>().unwrap().0)
            .execute(&db.pool)
            .await
            .unwrap();
        let windows: (i32, i32, i32) =
            sqlx::query_as("select viewed_day, viewed_week, viewed_month from video_stats where video_id = 1")
                .fetch_one(&db.pool)
                .await
                .unwrap();
        assert_eq!(windows, expected, "on {today}");
    }
}

/// A date in SQL format.
struct Day(time::Date);

impl std::str::FromStr for Day {
    type Err = time::error::Parse;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        time::Date::parse(text, &time::format_description::well_known::Iso8601::DATE).map(Self)
    }
}
