-- A rating is what people see, the plain share of likes: 10 of 12 are 83 %. Lists are ordered by a standing, which doubts few
-- votes, so that one like alone is not above 990 of 1,000.
alter function rating_of(integer, integer) rename to standing_of;

create function rating_of(likes integer, dislikes integer) returns real
    language sql immutable parallel safe
    -- 0 to 5; nobody's vote is 0.
    return case when likes + dislikes = 0 then 0 else round(5.0 * likes / (likes + dislikes), 2) end::real;

do $$
declare entity text;
begin
    foreach entity in array array['video', 'album', 'model', 'playlist', 'user'] loop
        execute format('alter table %I rename column rating to standing', entity || '_stats');
        execute format('alter table %I add column rating real not null generated always as (rating_of(likes, dislikes)) stored',
            entity || '_stats');
    end loop;
end $$;
