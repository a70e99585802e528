-- Finished answers are kept until the outbox says that something they show has changed. A comment that is moderated away,
-- a friendship that ends and an account that is confirmed must be seen at once too, so they name the object they belong
-- to. What is only added is no hurry: the counters' interval brings it, and its author asks past every cache.

create function comments_outbox() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id) select distinct section, object_id from changed;
    return null;
end $$;
create trigger comments_outbox_update after update on comments referencing new table as changed
    for each statement execute function comments_outbox();
create trigger comments_outbox_delete after delete on comments referencing old table as changed
    for each statement execute function comments_outbox();

create trigger walls_outbox_update after update on walls referencing new table as changed
    for each statement execute function outbox_mark('user', 'user_id');
create trigger walls_outbox_delete after delete on walls referencing old table as changed
    for each statement execute function outbox_mark('user', 'user_id');

create trigger friends_outbox_update after update on friends referencing new table as changed
    for each statement execute function outbox_mark('user', 'user_id', 'user', 'friend_id');
create trigger friends_outbox_delete after delete on friends referencing old table as changed
    for each statement execute function outbox_mark('user', 'user_id', 'user', 'friend_id');

create trigger subscriptions_outbox_delete after delete on subscriptions referencing old table as changed
    for each statement execute function outbox_mark('user', 'user_id');

-- 0006 leaves these columns out as ones no document holds; but a member is listed from the confirmation on, and the page
-- of a member shows the cover.
create function users_outbox_shown() returns trigger language plpgsql as $$
begin
    insert into outbox (entity, entity_id)
    select 'user', a.id from after a join before b using (id)
    where (a.email_confirmed_at is null, a.cover_key) is distinct from (b.email_confirmed_at is null, b.cover_key);
    return null;
end $$;
create trigger users_outbox_shown after update on users
    referencing old table as before new table as after
    for each statement execute function users_outbox_shown();
