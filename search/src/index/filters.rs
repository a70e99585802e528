//! Filters and sort keys of listings. Values are always passed as values and never spliced into expressions as text.

use lantern_config::{DateRange, Gender, MEDIUM_UP_TO, ModelSort, SHORT_BELOW, VideoSort, VideoType};
use lantern_index::Filter;
use time::{Date, Month, OffsetDateTime, Time};

use lantern_listing::{Choice, Duration, FilterWord, Filters, Names, Section, VideoList};

const DAY: i64 = 86_400;

/// Returns the filter of a list of videos.
#[must_use]
pub fn video_filter(list: &VideoList, now: i64) -> Filter {
    let mut parts = list.section.orientation(list.gender);
    let by_views = list.sort == VideoSort::MostPopular;
    parts.extend(choices(list));
    parts.extend(posted_within(list.date, by_views).map(|days| posted(days, now)));
    match &list.section {
        // Charts and playlists determine their videos themselves.
        Section::All | Section::Search | Section::TopCountry(_) | Section::Playlist(_) => {}
        Section::Categories(dirs) => {
            parts.extend(dirs.iter().map(|dir| Filter::eq("category_dirs", dir)));
        }
        Section::Model(dir) => parts.push(Filter::eq("model_dirs", dir)),
        Section::Channel(id) => parts.push(Filter::eq("channel_id", *id)),
        Section::Member(id) => parts.push(Filter::eq("user_id", *id)),
    }
    Filter::all(parts)
}

/// Returns the filter for the videos of a chart or playlist. Neither counts views by day, so a date always refers to
/// the post date.
#[must_use]
pub fn chart_filter(list: &VideoList, now: i64) -> Filter {
    let posted = posted_within(list.date, false).map(|days| posted(days, now));
    Filter::all(choices(list).into_iter().chain(posted))
}

/// Returns the filters that apply to any list of videos.
fn choices(list: &VideoList) -> Vec<Filter> {
    let mut parts = Vec::new();
    match list.kind {
        VideoType::All => {}
        VideoType::Hd => parts.push(Filter::eq("is_hd", true)),
        VideoType::Uncensored => parts.push(Filter::eq("is_uncensored", true)),
    }
    match list.duration {
        Duration::All => {}
        Duration::Short => parts.push(Filter::lt("duration", SHORT_BELOW)),
        Duration::Medium => parts.push(Filter::between("duration", SHORT_BELOW, MEDIUM_UP_TO)),
        Duration::Long => parts.push(Filter::gt("duration", MEDIUM_UP_TO)),
        Duration::Minutes(from, to) => {
            parts.push(Filter::between("duration", from * 60, to * 60));
        }
    }
    parts.extend(named(&list.names));
    parts
}

/// Returns the filters for categories and models that must match and for those that must not match.
pub fn named(names: &Names) -> impl Iterator<Item = Filter> {
    let of = |field, dirs: &[String]| dirs.iter().map(move |dir| Filter::eq(field, dir)).collect::<Vec<_>>();
    let with = of("category_dirs", &names.categories).into_iter().chain(of("model_dirs", &names.models));
    let without = of("category_dirs", &names.not_categories).into_iter().chain(of("model_dirs", &names.not_models));
    with.chain(without.map(Filter::not))
}

/// Returns the maximum number of days since the post date, or `None` if the date is the period of the views instead.
fn posted_within(date: DateRange, by_views: bool) -> Option<i64> {
    match date {
        DateRange::All => None,
        DateRange::Year => Some(365),
        _ if by_views => None,
        DateRange::Day => Some(1),
        DateRange::Week => Some(7),
        DateRange::Month => Some(30),
    }
}

/// Filter for videos posted within the last `days` days. Future dates are excluded because those videos are not
/// published yet.
fn posted(days: i64, now: i64) -> Filter {
    Filter::between("post_date", now - days * DAY, now)
}

/// Returns the sort keys of a list, which define a total order, or `None` for relevance.
#[must_use]
pub fn video_sort(list: &VideoList) -> Option<[&'static str; 2]> {
    let key = match (list.sort, list.date) {
        (VideoSort::Relevance, _) => return None,
        (VideoSort::LatestUpdates, _) => "post_date:desc",
        (VideoSort::Longest, _) => "duration:desc",
        (VideoSort::MostCommented, _) => "comments:desc",
        (VideoSort::TopRated, _) => "standing:desc",
        (VideoSort::MostPopular, DateRange::Day) => "viewed_day:desc",
        (VideoSort::MostPopular, DateRange::Week) => "viewed_week:desc",
        (VideoSort::MostPopular, DateRange::Month) => "viewed_month:desc",
        (VideoSort::MostPopular, DateRange::All | DateRange::Year) => "viewed:desc",
    };
    Some([key, "id:desc"])
}

/// Filter for models of an orientation.
#[must_use]
pub fn models_of(gender: Gender) -> Filter {
    Filter::eq("gender", gender.as_str())
}

/// Returns the filter for the people `within` a list. `except` omits one filter, so that its values can be counted.
#[must_use]
pub fn people_filter<F: FilterWord>(within: Filter, filters: &Filters<F>, except: Option<F>, now: i64) -> Filter {
    let mut parts = vec![within];
    for (filter, choice) in filters.chosen() {
        let field = filter.field();
        match choice {
            _ if except == Some(*filter) => {}
            Choice::Codes(codes) => parts.push(match &codes[..] {
                [code] => Filter::eq(field, code),
                codes => Filter::in_(field, codes),
            }),
            Choice::Range(from, to) if field == "birth" => {
                let (after, until) = age_window(*from, *to, now);
                parts.push(Filter::gt(field, after));
                parts.push(Filter::le(field, until));
            }
            Choice::Range(from, to) => parts.push(Filter::between(field, *from, *to)),
            // `within` already contains the object that the list belongs to.
            Choice::Object(_) => {}
        }
    }
    Filter::all(parts)
}

/// Returns the sort keys of a model list.
#[must_use]
pub fn model_sort(sort: ModelSort) -> [&'static str; 2] {
    match sort {
        ModelSort::MostPopular => ["subscribers:desc", "id:desc"],
        ModelSort::Alphabet => ["title:asc", "id:desc"],
        ModelSort::CountVideos => ["total_videos:desc", "id:desc"],
        ModelSort::MostViewed => ["viewed:desc", "id:desc"],
        ModelSort::LatestUpdates => ["added_date:desc", "id:desc"],
        ModelSort::TopRated => ["standing:desc", "id:desc"],
    }
}

/// Returns the range of birth dates of people aged `from` to `to`. It excludes the first time and includes the second.
#[must_use]
pub fn age_window(from: i64, to: i64, now: i64) -> (i64, i64) {
    let today = OffsetDateTime::from_unix_timestamp(now).unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
    (midnight(years_before(today, to + 1)), midnight(years_before(today, from)))
}

/// Returns the same day `years` earlier.
pub fn years_before(day: Date, years: i64) -> Date {
    let year = day.year() - i32::try_from(years).unwrap_or(i32::MAX / 2);
    // Only 29 February may not exist in the other year. By then, people born on the 28th have had their birthday.
    day.replace_year(year).or_else(|_| Date::from_calendar_date(year, Month::February, 28)).unwrap_or(Date::MIN)
}

fn midnight(day: Date) -> i64 {
    day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp()
}

#[cfg(test)]
mod tests {
    use lantern_config::{Config, ModelFilter};

    use super::*;
    use lantern_listing::{ListPath, MemberFilters, ModelFilters};

    fn list(sort: &str, file: &str) -> VideoList {
        let segments = ["86400", "str", sort, "60", file];
        ListPath::parse(segments, &[86_400], &Config::default()).expect("path").list
    }

    #[test]
    fn date_filters_by_post_date_unless_it_is_the_views_window() {
        let filter = |sort, date| video_filter(&list(sort, &format!("all..1.all.all.{date}")), 10 * DAY).to_string();
        assert!(filter("latest-updates", "week").contains("post_date 259200 TO 864000"));
        assert!(!filter("most-popular", "week").contains("post_date"));
        assert!(filter("most-popular", "year").contains("post_date"));
        assert_eq!(video_sort(&list("most-popular", "all..1.all.all.week")), Some(["viewed_week:desc", "id:desc"]));
    }

    #[test]
    fn all_categories_must_match() {
        let filter = video_filter(&list("longest", "categories.a,b.1.hd.short.all"), 0).to_string();
        assert_eq!(
            filter,
            "gender = \"str\" AND is_hd = true AND duration < 600 AND category_dirs = \"a\" AND category_dirs = \"b\""
        );
    }

    #[test]
    fn counts_of_a_filter_ignore_its_own_choice() {
        let filters = ModelFilters::parse("filt-race~asian-hair_color~black,red").expect("filters");
        let filter = |except| people_filter(models_of(Gender::Str), &filters, except, 0).to_string();
        assert_eq!(filter(Some(ModelFilter::Race)), "gender = \"str\" AND hair_color IN [\"black\", \"red\"]");
        assert_eq!(filter(Some(ModelFilter::HairColor)), "gender = \"str\" AND race = \"asian\"");
        let everybody = people_filter(Filter::all([]), &MemberFilters::default(), None, 0);
        assert!(everybody.matches_everything());
    }

    #[test]
    fn charts_filter_by_post_date_only() {
        let filter = |file| chart_filter(&list("most-popular", file), 10 * DAY);
        assert!(filter("top-country.JP.1.all.all.week").to_string().contains("post_date 259200 TO 864000"));
        assert!(filter("top-country.JP.1.all.all.all").matches_everything());
    }
}
