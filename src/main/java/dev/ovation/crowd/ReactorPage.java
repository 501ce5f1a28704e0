package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.ReactorPosition;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A page of reactors.
 *
 * @param reactors may be fewer than the requested limit, or none, though more follow
 * @param next place at which the next page begins; null when there is none
 */
record ReactorPage(List<ListedReactor> reactors, @Nullable ReactorPosition next) {

    static final ReactorPage EMPTY = new ReactorPage(List.of(), null);
}
