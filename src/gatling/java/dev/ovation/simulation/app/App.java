package dev.ovation.simulation.app;

import dev.ovation.simulation.Config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The app of one user at a time: when that user quits, the next begins in it with no state. It
 * sends no requests itself: it returns them, and processes their answers. The same seed and the
 * same answers produce the same requests.
 */
public final class App {

    private final Config config;
    private final List<Topic> topics;
    private final boolean screens;
    private final RandomGenerator random;
    private int number;
    private String user;
    private Map<Topic, Feed> feeds;
    private Map<String, Entity> entities;
    private Topic topic;
    private int position;
    private int turns;

    /**
     * Creates the app of the {@code index}-th of the users, from 0, without a user.
     *
     * @param screens whether the entities of a screen are read by one request
     */
    public App(Config config, List<Topic> topics, boolean screens, int index) {
        this.config = config;
        this.topics = topics;
        this.screens = screens;
        this.number = index + 1 - config.users().count();
        this.random = new SplittableRandom(config.seed() * 1_000_003 + index);
    }

    /** The next user begins, in a random topic; returns the requests that fill the screen. */
    public List<Call> logIn() {
        number += config.users().count();
        user = config.users().idTemplate().formatted(number);
        feeds = new HashMap<>();
        entities = new HashMap<>();
        turns = 0;
        switchTopic();
        return refresh();
    }

    /**
     * One turn: the background refresh if it is due, and one action. After a quit the next user
     * begins.
     *
     * @return the requests, to be sent at the same time; none if no action is possible
     */
    public List<Call> turn() {
        var calls = new ArrayList<Call>();
        if (++turns % config.users().refreshTurns() == 0) {
            calls.addAll(refresh());
        }
        var addable = visible().stream().filter(each -> !each.offers().isEmpty()).toList();
        var removable = visible().stream().filter(each -> !each.own().isEmpty()).toList();
        Action.draw(
                        config.users().weights(),
                        canScroll(),
                        !addable.isEmpty(),
                        !removable.isEmpty(),
                        random)
                .ifPresent(
                        action ->
                                calls.addAll(
                                        switch (action) {
                                            case SWITCH_TOPIC -> {
                                                switchTopic();
                                                yield refresh();
                                            }
                                            case SCROLL -> {
                                                scroll();
                                                yield refresh();
                                            }
                                            case ADD_REACTION -> List.of(add(any(addable)));
                                            case REMOVE_REACTION -> List.of(remove(any(removable)));
                                            case QUIT -> logIn();
                                        }));
        return calls;
    }

    /** The user's hesitation at the start of a turn. */
    public Duration hesitation() {
        return upTo(config.users().turnStartSkew());
    }

    /** Time between the first user's login and this one's. */
    public Duration logsInAfter(Duration most) {
        return upTo(most);
    }

    private Duration upTo(Duration most) {
        return Duration.ofMillis(most.isZero() ? 0 : random.nextLong(most.toMillis()));
    }

    private void switchTopic() {
        topic = any(topics);
        position = 0;
    }

    private boolean canScroll() {
        return position < last();
    }

    private void scroll() {
        position = Math.min(position + config.users().visibleEntities(), last());
    }

    private int last() {
        return topic.kind().size() - config.users().visibleEntities();
    }

    /** The entities on the screen. */
    List<Entity> visible() {
        var feed = feeds.computeIfAbsent(topic, each -> new Feed(each.kind(), random));
        return IntStream.range(position, position + config.users().visibleEntities())
                .mapToObj(place -> topic.id() + "/" + feed.at(place))
                .map(id -> entities.computeIfAbsent(id, _ -> new Entity(topic.namespace(), id)))
                .toList();
    }

    private List<Call> refresh() {
        var visible = visible();
        return screens
                ? List.of(Call.query(user, visible))
                : visible.stream().map(entity -> Call.get(user, entity)).toList();
    }

    private Call add(Entity entity) {
        // Every second user is too young for some reactions.
        int age = number % 2 == 0 ? Call.ADULT : Call.ADULT - 1;
        return Call.post(user, age, entity, any(entity.offers()));
    }

    private Call remove(Entity entity) {
        return Call.delete(user, entity, any(entity.own()));
    }

    private <T> T any(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }
}
