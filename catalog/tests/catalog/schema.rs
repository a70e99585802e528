//! Constraints reject invalid rows. Their names are the ones that are mapped to error codes.

use lantern_testing::TestDb;
use sqlx::AssertSqlSafe;

const WORLD: &str = "
    insert into users (username, email) values ('anna', 'anna@mail.example'), ('bert', 'bert@mail.example');
    insert into categories (dir) values ('dance'), ('city');
    insert into category_titles values (1, 'en', 'Dance');
    insert into models (dir, title, gender, birth_date) values ('yui', 'Yui', 'str', '1990-01-01');
    insert into videos (dir, title, lang, gender, duration) values ('a', 'A', 'en', 'str', 10);
    insert into playlists (user_id, title, description) values (1, 'Evenings', 'For evenings');
    insert into friends (user_id, friend_id) values (1, 2);
    insert into votes (section, object_id, user_id, vote) values ('video', 1, 1, 1);
    insert into votes (section, object_id, guest_key, vote, voted_on) values ('video', 1, '\\x01', 1, '2026-01-01');";

/// Returns the name of the constraint that rejects `statement`.
async fn refused(statement: &str) -> Option<String> {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    match sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&db.pool).await {
        Ok(_) => None,
        Err(e) => lantern_catalog::Error::from(e).constraint().map(str::to_owned),
    }
}

#[tokio::test]
async fn deleting_playlists_and_members_deletes_comments_and_votes_about_them() {
    let db = TestDb::create().await.unwrap();
    sqlx::raw_sql(WORLD).execute(&db.pool).await.unwrap();
    sqlx::raw_sql(
        "insert into users (username, email) values ('carl', 'carl@mail.example');
         insert into playlists (user_id, title, description) values (1, 'Nights', 'For nights'), (2, 'Days', 'For days');
         delete from votes;
         do $$ declare about text; begin
             foreach about in array array['playlist', 'user', 'model'] loop
                 insert into comments (section, object_id, user_id, body, deleted_at)
                     select about, object, 3, 'Well said', gone
                     from generate_series(1, 3) object, unnest(array[null, now()]) gone;
                 insert into votes (section, object_id, user_id, vote) select about, object, 3, 1 from generate_series(1, 3) object;
                 insert into votes (section, object_id, guest_key, vote) select about, object, '\\x01', 1 from generate_series(1, 3) object;
             end loop;
         end $$;
         insert into subscriptions (user_id, section, object_id) values (3, 'user', 1), (3, 'model', 1), (3, 'user', 2);
         insert into report_hides (section, object_id, before) values ('playlist', 1, 'public'), ('video', 1, '1');",
    )
    .execute(&db.pool)
    .await
    .unwrap();
    let left = async || {
        let query = "select string_agg(of || section || object_id, ' ' order by of, section, object_id) from (
            select distinct 'c' as of, section, object_id from comments union select 'v', section, object_id from votes
            union select 's', section, object_id from subscriptions union select 'h', section, object_id from report_hides
        ) as said";
        sqlx::query_scalar::<_, String>(query).fetch_one(&db.pool).await.unwrap()
    };
    sqlx::raw_sql("delete from playlists where id = 2").execute(&db.pool).await.unwrap();
    assert_eq!(
        left().await,
        "cmodel1 cmodel2 cmodel3 cplaylist1 cplaylist3 cuser1 cuser2 cuser3 hplaylist1 hvideo1 smodel1 suser1 suser2 \
         vmodel1 vmodel2 vmodel3 vplaylist1 vplaylist3 vuser1 vuser2 vuser3"
    );
    // Anna's playlists are deleted together with her account.
    sqlx::raw_sql("delete from users where id = 1").execute(&db.pool).await.unwrap();
    assert_eq!(
        left().await,
        "cmodel1 cmodel2 cmodel3 cplaylist3 cuser2 cuser3 hvideo1 smodel1 suser2 \
         vmodel1 vmodel2 vmodel3 vplaylist3 vuser2 vuser3"
    );
}

macro_rules! refusals {
    ($($name:ident: $statement:literal => $constraint:expr;)+) => {
        $(#[tokio::test]
        async fn $name() {
            let expected: Option<&str> = $constraint;
            assert_eq!(refused($statement).await.as_deref(), expected);
        })+
    };
}

refusals! {
    a_performer_under_eighteen: "insert into models (dir, title, gender, birth_date) values ('m', 'M', 'str', (now() at time zone 'UTC')::date - interval '18 years' + interval '1 day')" => Some("models_adult_at_creation");
    a_performer_turning_eighteen_today_passes: "insert into models (dir, title, gender, birth_date) values ('m', 'M', 'str', (now() at time zone 'UTC')::date - interval '18 years')" => None;
    a_performer_changed_to_under_eighteen: "update models set birth_date = '2020-01-01'" => Some("models_adult_at_creation");
    a_member_under_eighteen: "insert into profiles (user_id, birth_date) values (1, '2020-01-01')" => Some("profiles_adult");
    consent_signed_before_adulthood: "insert into performer_consents (model_id, video_id, signed_on, document_kind, document_ref, verified_by, verified_at) values (1, 1, '2007-12-31', 'passport', 'r', 'v', now())" => Some("performer_consents_adult");
    consent_to_two_objects: "insert into performer_consents (model_id, video_id, album_id, signed_on, document_kind, document_ref, verified_by, verified_at) values (1, 1, 1, '2020-01-01', 'passport', 'r', 'v', now())" => Some("performer_consents_one_object");
    consent_signed_as_an_adult_passes: "insert into performer_consents (model_id, video_id, signed_on, document_kind, document_ref, verified_by, verified_at) values (1, 1, '2008-01-01', 'passport', 'r', 'v', now())" => None;
    a_username_in_other_case: "insert into users (username, email) values ('ANNA', 'other@mail.example')" => Some("users_username_key");
    an_address_in_other_case: "insert into users (username, email) values ('carl', 'Anna@mail.example')" => Some("users_email_key");
    invalid_characters_in_a_username: "insert into users (username, email) values ('no spaces', 'c@mail.example')" => Some("users_username_format");
    two_categories_with_one_title: "insert into category_titles values (2, 'en', 'Dance')" => Some("category_titles_title_key");
    a_second_vote_of_a_member: "insert into votes (section, object_id, user_id, vote) values ('video', 1, 1, -1)" => Some("votes_member_once");
    a_second_vote_of_a_guest_that_day: "insert into votes (section, object_id, guest_key, vote, voted_on) values ('video', 1, '\\x01', 1, '2026-01-01')" => Some("votes_guest_daily");
    a_guests_vote_the_next_day_passes: "insert into votes (section, object_id, guest_key, vote, voted_on) values ('video', 1, '\\x01', 1, '2026-01-02')" => None;
    befriending_oneself: "insert into friends (user_id, friend_id) values (1, 1)" => Some("friends_not_self");
    a_mirrored_friendship: "insert into friends (user_id, friend_id) values (2, 1)" => Some("friends_pair_key");
    subscribing_to_oneself: "insert into subscriptions (user_id, section, object_id) values (1, 'user', 1)" => Some("subscriptions_not_self");
    a_comment_too_short: "insert into comments (section, object_id, user_id, body) values ('video', 1, 1, 'hm')" => Some("comments_length");
    a_playlist_title_too_short: "update playlists set title = 'x'" => Some("playlists_title_length");
    an_unknown_gender: "update videos set gender = 'x'" => Some("videos_gender_known");
    an_unknown_language: "update videos set lang = 'xx'" => Some("videos_lang_known");
    a_closed_report_without_a_date: "insert into reports (subject, email, message, state) values ('s', 'e', 'm', 'resolved')" => Some("reports_closed_when");
}
