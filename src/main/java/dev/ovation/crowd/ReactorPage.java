package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.Progress;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A page of reactors.
 *
 * @param reactors may be fewer than asked for, or none, though there are more
 * @param next where the next page begins; null when there is none
 */
record ReactorPage(List<Reactor> reactors, @Nullable Progress next) {

    static final ReactorPage EMPTY = new ReactorPage(List.of(), null);
}
