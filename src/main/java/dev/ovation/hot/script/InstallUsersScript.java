package dev.ovation.hot.script;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.HotSettings;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code install_users.lua}: writes looked-up users into a partial user hash. */
public final class InstallUsersScript {

    private final LuaScript script = new LuaScript("install_users", ScriptOutputType.VALUE);
    private final HotSettings settings;

    public InstallUsersScript(HotSettings settings) {
        this.settings = settings;
    }

    /**
     * A user that was looked up under the lease {@code token}; an empty list means absence.
     *
     * @param lastReactedAt time of the newest reaction, in microseconds since 1970; null when it is
     *     not needed
     */
    public record Looked(
            String user, String token, List<String> reactions, @Nullable Long lastReactedAt) {

        public Looked(String user, String token, List<String> reactions) {
            this(user, token, reactions, null);
        }
    }

    /**
     * Sends the script; the answer is the number of installed users, or -1 when the fence does not
     * hold.
     *
     * @param version version of the entity in Postgres when the users were looked up; none is
     *     installed beside an older state
     */
    public CompletableFuture<Integer> execute(
            RedisScriptingAsyncCommands<String, String> redis,
            int p,
            Fence fence,
            EntityKey key,
            long version,
            List<Looked> users) {
        var args =
                new ArrayList<String>(
                        List.of(
                                Long.toString(fence.epoch()),
                                fence.incarnation(),
                                Integer.toString(settings.partialLimit()),
                                Long.toString(version)));
        for (Looked looked : users) {
            args.add(looked.user());
            args.add(looked.token());
            args.add(RedisSchema.userValue(looked.reactions(), looked.lastReactedAt()));
        }
        return script.string(redis, RedisSchema.entity(p, key), args.toArray(String[]::new))
                .thenApply(reply -> reply.equals("FENCED") ? -1 : Integer.parseInt(reply));
    }
}
