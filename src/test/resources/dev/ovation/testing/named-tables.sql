-- Lets tests write rows by names: an entity or a reaction without a number gets one. Only count_people() counts people.
create view named_entity as select namespace, entity, version, last_op, last_at from entity;

create function reaction_of(wanted text) returns smallint language plpgsql as $$
declare
    found_no smallint;
begin
    select no into found_no from reaction_name where name = wanted;
    if found_no is null then
        insert into reaction_name (no, name)
        select coalesce(max(no), 0) + 1, wanted from reaction_name returning no into found_no;
    end if;
    return found_no;
end
$$;

create function entity_of(wanted_namespace text, wanted text) returns entity language plpgsql as $$
declare
    found_one entity;
begin
    select * into found_one from entity e where e.namespace = wanted_namespace and e.entity = wanted;
    if found_one.no is null then
        insert into entity (p, no, namespace, entity, version, last_op, last_at)
        select p, (select coalesce(max(no), 0) + 1 from entity e where e.p = t.p),
               wanted_namespace, wanted, 1, 'fixture', 0
        from   (select partition_of(wanted_namespace, wanted,
                                    coalesce(nullif((select count(*) from partition), 0), 64)) as p) t
        returning * into found_one;
    end if;
    return found_one;
end
$$;

create function count_people() returns void language sql as $$
    update entity e
    set    people = c.people
    from  (select p, entity_no, count(distinct user_id) as people from user_reaction group by p, entity_no) c
    where  e.p = c.p and e.no = c.entity_no and e.people <> c.people
$$;

create function write_named_entity() returns trigger language plpgsql as $$
declare
    e entity := entity_of(new.namespace, new.entity);
begin
    update entity set version = new.version, last_op = new.last_op, last_at = new.last_at
    where  p = e.p and no = e.no;
    insert into changed_entity (p, entity_no) values (e.p, e.no);
    return new;
end
$$;
create trigger written instead of insert on named_entity for each row execute function write_named_entity();

create function write_named_counter() returns trigger language plpgsql as $$
declare
    one named_counter := coalesce(new, old);
    e entity := entity_of(one.namespace, one.entity);
    r smallint := reaction_of(one.reaction);
begin
    if tg_op = 'INSERT' then
        insert into counter (p, entity_no, reaction, count, first_at, last_at)
        values (e.p, e.no, r, new.count, new.first_at, new.last_at);
        return new;
    elsif tg_op = 'UPDATE' then
        update counter set count = new.count, first_at = new.first_at, last_at = new.last_at
        where  p = e.p and entity_no = e.no and reaction = r;
        return new;
    end if;
    delete from counter where p = e.p and entity_no = e.no and reaction = r;
    return old;
end
$$;
create trigger written instead of insert or update or delete on named_counter
    for each row execute function write_named_counter();

create function write_named_reaction() returns trigger language plpgsql as $$
declare
    one named_reaction := coalesce(new, old);
    e entity := entity_of(one.namespace, one.entity);
    r smallint := reaction_of(one.reaction);
begin
    if tg_op = 'INSERT' then
        insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
        values (e.p, e.no, r, new.user_id, new.reacted_at);
        return new;
    elsif tg_op = 'UPDATE' then
        update user_reaction set reacted_at = new.reacted_at
        where  p = e.p and entity_no = e.no and reaction = r and user_id = new.user_id;
        return new;
    end if;
    delete from user_reaction
    where  p = e.p and entity_no = e.no and reaction = r and user_id = old.user_id;
    return old;
end
$$;
create trigger written instead of insert or update or delete on named_reaction
    for each row execute function write_named_reaction();
