package dev.ovation.entity;

/**
 * How many users have one reaction on one entity.
 *
 * @param reaction canonical key of the reaction
 * @param count number of users, above 0
 * @param firstAt when the count last rose from 0, in microseconds since 1970
 * @param lastAt when the newest addition since then happened, in microseconds since 1970
 */
public record Counter(String reaction, long count, long firstAt, long lastAt) {}
