-- Lists of who reacted, newest first, and of what a user reacted to.
create index user_reaction_newest
    on user_reaction (namespace, entity, reaction, reacted_at desc, user_id);
create index user_reaction_by_user
    on user_reaction (user_id, reacted_at desc, namespace, entity, reaction);

create table user_profile (
    user_id      text collate "C" primary key,
    display_name text not null
);

-- Each friendship is two rows, one a direction.
create table friendship (
    user_id   text collate "C" not null,
    friend_id text collate "C" not null,
    primary key (user_id, friend_id)
);
