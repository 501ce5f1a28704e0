package dev.ovation.live;

import dev.ovation.credential.Credentials;
import dev.ovation.limit.Caller;
import dev.ovation.reaction.view.EntityView;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.TextFields;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.List;
import java.util.function.Function;

/** The interface of this package for streams of other protocols. */
@Component
public final class LiveStreams {

    private final Watchers watchers;
    private final Credentials credentials;

    LiveStreams(Watchers watchers, Credentials credentials) {
        this.watchers = watchers;
        this.credentials = credentials;
    }

    /** An event of a stream. */
    public sealed interface LiveEvent {}

    /**
     * A committed state of an entity.
     *
     * @param first whether it is the first one of the entity on this stream
     * @param id names the states that the client has after this one
     */
    public record StreamState(String namespace, StreamedView shown, boolean first, String id)
            implements LiveEvent {}

    /** A view that all streams of its entity and viewer share, with the message made of it. */
    public static final class StreamedView {

        private final EntityView view;
        private volatile @Nullable Object message;

        StreamedView(EntityView view) {
            this.view = view;
        }

        /** Returns the message of this type, which is made once, or seldom twice. */
        public <M> M message(Class<M> type, Function<EntityView, M> maker) {
            Object known = message;
            if (type.isInstance(known)) {
                return type.cast(known);
            }
            M made = maker.apply(view);
            message = made;
            return made;
        }
    }

    /**
     * The service ends the stream.
     *
     * @param reason {@code shutdown}, {@code credential} or {@code age}
     * @param retryMillis time after which the client opens another stream, in milliseconds
     */
    public record StreamEnd(String reason, int retryMillis) implements LiveEvent {}

    /** An open stream. */
    public static final class LiveStream {

        private final Watchers watchers;
        private final Watcher watcher;

        private LiveStream(Watchers watchers, Watcher watcher) {
            this.watchers = watchers;
            this.watcher = watcher;
        }

        /**
         * Connects the stream to its client.
         *
         * @param pump sends the {@link #next} events, as far as the client reads; several threads
         *     call it
         */
        public void connect(Runnable pump) {
            watchers.connect(watcher, pump);
        }

        /** Returns the next event, or null if there is none now. */
        public @Nullable LiveEvent next() {
            return watcher.nextLive();
        }

        /** Returns whether the stream ends when {@link #next} has no more. */
        public boolean isOver() {
            return watcher.isOver();
        }

        /** Releases the stream, which has ended, for whatever reason. */
        public void ended() {
            watcher.ended();
        }
    }

    /**
     * Opens a stream, as {@code GET /reactions/stream} does. Its first events are the present
     * states.
     *
     * @param query namespace_id and viewer_id
     * @param entities ids of the entities to watch
     * @param lastId id of the last state that the client has; null for none
     * @param call bears the credential, which is judged again from time to time
     * @throws ProblemException when the call is malformed or not allowed, or there are too many
     *     streams
     */
    public LiveStream open(
            TextFields query,
            List<String> entities,
            @Nullable String lastId,
            Caller caller,
            IncomingCall call) {
        var names = StreamRequests.FieldNames.OF_MESSAGES;
        var watch = StreamRequests.read(query, entities, lastId, names, caller.who());
        caller.entities(names.entities(), watch.keys().size(), watch.user());
        watchers.demand(watch.namespace());
        var credential = StreamCredential.of(caller.who(), call, credentials);
        return new LiveStream(watchers, watchers.open(watch, credential));
    }
}
