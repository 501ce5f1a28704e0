package dev.ovation.entity;

/**
 * The number of users that have one reaction on one entity.
 *
 * @param reaction canonical key of the reaction
 * @param count number of users, above 0
 * @param firstAt time when the count last rose from 0, in microseconds since 1970
 * @param lastAt time of the newest addition since then, in microseconds since 1970
 */
public record Counter(String reaction, long count, long firstAt, long lastAt) {}
