package dev.ovation.entity;

/** One user on one entity. */
public record UserOfEntity(EntityKey key, String user) {}
