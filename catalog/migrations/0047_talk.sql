-- Comments and entries of walls have replies, one level deep, and likes.

-- The comment that is answered. No foreign key: replies stay when its author's account goes, under a place that is empty.
alter table comments add column parent_id bigint;
alter table walls add column parent_id bigint;
create index comments_replies on comments (parent_id, id) where parent_id is not null;
create index walls_replies on walls (parent_id, id) where parent_id is not null;

create table comment_likes (
    comment_id bigint not null references comments on delete cascade,
    user_id bigint not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (comment_id, user_id)
);
create index comment_likes_user on comment_likes (user_id);

create table wall_likes (
    wall_id bigint not null references walls on delete cascade,
    user_id bigint not null references users on delete cascade,
    created_at timestamptz not null default now(),
    primary key (wall_id, user_id)
);
create index wall_likes_user on wall_likes (user_id);

-- What is shown of both: nothing that was taken away, nothing of a closed account.
create view remarks as
select c.section, c.object_id, c.id, c.parent_id, c.user_id, u.username, u.avatar_key, c.body, c.created_at,
       (select count(*) from comment_likes l where l.comment_id = c.id) as likes
from comments c join users u on u.id = c.user_id
where c.section <> 'user' and c.deleted_at is null and u.status_id <> 5
union all
select 'user', w.user_id, w.id, w.parent_id, w.author_id, u.username, u.avatar_key, w.body, w.created_at,
       (select count(*) from wall_likes l where l.wall_id = w.id)
from walls w join users u on u.id = w.author_id
where w.deleted_at is null and u.status_id <> 5;

-- Whoever blocks a member gets no replies and no likes from there either.
create or replace function comments_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(owner_of(new.section, new.object_id), new.user_id);
    perform blocks_refuse((select user_id from comments where id = new.parent_id), new.user_id);
    return new;
end $$;

create or replace function walls_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse(new.user_id, new.author_id);
    perform blocks_refuse((select author_id from walls where id = new.parent_id), new.author_id);
    return new;
end $$;

create function comment_likes_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse((select user_id from comments where id = new.comment_id), new.user_id);
    return new;
end $$;
create trigger comment_likes_refuse_blocked before insert on comment_likes
    for each row execute function comment_likes_refuse_blocked();

create function wall_likes_refuse_blocked() returns trigger language plpgsql as $$
begin
    perform blocks_refuse((select author_id from walls where id = new.wall_id), new.user_id);
    return new;
end $$;
create trigger wall_likes_refuse_blocked before insert on wall_likes
    for each row execute function wall_likes_refuse_blocked();
