package dev.ovation.hot.filter;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;
import dev.ovation.hot.filter.WantedFilters.WantedFilter;
import dev.ovation.hot.link.RedisServers;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.hot.link.Replies;
import dev.ovation.hot.link.UnansweredException;
import dev.ovation.hot.script.FillFilterScript;
import dev.ovation.hot.script.FillFilterScript.Reply;
import dev.ovation.hot.script.FillFilterScript.Step;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Fences;
import dev.ovation.hot.state.FilterMetrics;
import dev.ovation.hot.state.FilterMetrics.FilterResult;
import dev.ovation.hot.state.ScriptTimes;
import dev.ovation.hot.state.UniqueNames;
import dev.ovation.store.snapshot.ReactorPages;
import dev.ovation.store.snapshot.ReactorPages.ReactorRow;
import dev.ovation.store.snapshot.ReactorPages.RowPosition;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Fills filters from Postgres, the one of the entity with the most look-ups first. A fill begins an
 * empty filter in Redis, which takes each later addition; waits until all earlier changes are
 * committed, during which other fills begin and read; reads the reactors from Postgres by pages;
 * and marks the filter complete. An entity that leaves Redis meanwhile takes its filter along. The
 * filter of an instance that died stays incomplete, until another instance begins a new one.
 */
public final class FilterFill implements BackgroundWork {

    /** Time without a step after which a fill is abandoned. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(FilterFill.class);

    /** Reactions that one step reads; more only when these all have the same time. */
    private static final int PAGE = 1000;

    /** An entity with more reactions of one kind and time gets no filter. */
    private static final int MOST_AT_ONCE = 64_000;

    /** Users in one script. */
    private static final int CHUNK = 250;

    /** Fills that wait for commits; beyond that no further fill begins. */
    private static final int MOST_WAITING = 16;

    private final WantedFilters wanted;
    private final ReactorPages reactors;
    private final RedisServers servers;
    private final Fences fences;
    private final FilterMetrics metrics;
    private final ScriptTimes times;
    private final boolean enabled;
    private final FillFilterScript script = new FillFilterScript(PATIENCE);
    private final Deque<Fill> waiting = new ArrayDeque<>();
    private @Nullable Fill current;
    private boolean begins;

    public FilterFill(
            WantedFilters wanted,
            ReactorPages reactors,
            RedisServers servers,
            Fences fences,
            FilterMetrics metrics,
            ScriptTimes times,
            boolean enabled) {
        this.wanted = wanted;
        this.reactors = reactors;
        this.servers = servers;
        this.fences = fences;
        this.metrics = metrics;
        this.times = times;
        this.enabled = enabled;
    }

    /** One fill: where it is. */
    private static final class Fill {
        final WantedFilter entity;
        final Fence fence;
        final String id = UniqueNames.next();
        final long begun = System.nanoTime();
        boolean reading;
        RowPosition from = RowPosition.START;
        int page = PAGE;

        Fill(WantedFilter entity, Fence fence) {
            this.entity = entity;
            this.fence = fence;
        }
    }

    @Override
    public String name() {
        return "filters";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(1);
    }

    @Override
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public StepResult step(Turn turn) {
        Fill fill = current == null ? next() : current;
        if (fill == null) {
            return wanted.waiting() == 0 ? StepResult.DONE : StepResult.MORE;
        }
        current = null;
        StepResult progress = StepResult.MORE;
        try {
            progress = fill.reading ? addPage(fill) : ask(fill);
        } catch (RedisUnavailableException | UnansweredException e) {
            LOG.debug("The fill of a filter ends without Redis: {}", e.toString());
            metrics.result(FilterResult.FAILED);
        } catch (RuntimeException e) {
            metrics.result(FilterResult.FAILED);
            throw e;
        }
        return progress;
    }

    /** Returns by turns a new fill and the one that has waited longest since it asked. */
    private @Nullable Fill next() {
        begins = !begins;
        Fill fill = begins && waiting.size() < MOST_WAITING ? begin() : waiting.poll();
        return fill != null ? fill : begins ? waiting.poll() : begin();
    }

    private @Nullable Fill begin() {
        WantedFilter next = wanted.next();
        Fence fence = next == null ? null : fences.of(next.p());
        return next == null || fence == null ? null : new Fill(next, fence);
    }

    private StepResult ask(Fill fill) {
        switch (send(fill, Step.BEGIN, List.of())) {
            case WAIT -> {
                if (System.nanoTime() - fill.begun > PATIENCE.toNanos()) {
                    metrics.result(FilterResult.FAILED);
                    return StepResult.MORE;
                }
                waiting.add(fill);
                return begins ? StepResult.MORE : StepResult.LATER;
            }
            case READ -> {
                fill.reading = true;
                current = fill;
            }
            case LARGE -> metrics.result(FilterResult.LARGE);
            case FENCED, ABSENT, COMPLETE, BUSY, LOST -> LOG.trace("There is no filter to fill");
        }
        return StepResult.MORE;
    }

    /**
     * Adds the users of one page. A page begins at the last position of the page before, because
     * reactions may share a position; to add a user twice changes nothing.
     */
    private StepResult addPage(Fill fill) {
        List<ReactorRow> page = reactors.page(fill.entity.key(), fill.from, fill.page);
        boolean last = page.size() < fill.page;
        if (!last && page.getLast().position().equals(fill.from)) {
            return widen(fill);
        }
        for (int i = 0; i < page.size() || i == 0; i += CHUNK) {
            int end = Math.min(page.size(), i + CHUNK);
            var users = page.subList(i, end).stream().map(ReactorRow::user).toList();
            var step = last && end == page.size() ? Step.LAST : Step.ADD;
            switch (send(fill, step, users)) {
                case READ -> LOG.trace("Added {} users", users.size());
                case COMPLETE -> {
                    metrics.result(FilterResult.FILLED);
                    return StepResult.MORE;
                }
                default -> {
                    metrics.result(FilterResult.LOST);
                    return StepResult.MORE;
                }
            }
        }
        fill.from = page.getLast().position();
        fill.page = PAGE;
        current = fill;
        return StepResult.MORE;
    }

    private StepResult widen(Fill fill) {
        if (fill.page >= MOST_AT_ONCE) {
            metrics.result(FilterResult.LARGE);
            return StepResult.MORE;
        }
        fill.page *= 2;
        current = fill;
        return StepResult.MORE;
    }

    private Reply send(Fill fill, Step step, List<String> users) {
        return Replies.await(
                times.timed(
                        "fill_filter",
                        script.execute(
                                servers.of(fill.entity.p()).requests(),
                                fill.entity.p(),
                                fill.fence,
                                fill.entity.key(),
                                fill.id,
                                System.currentTimeMillis(),
                                step,
                                users)));
    }
}
