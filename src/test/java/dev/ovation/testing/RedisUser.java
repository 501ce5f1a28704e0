package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

/**
 * The user as which every instance of the service connects to the Redis of a test, with exactly the
 * rights of {@code docker/production/redis.acl}. Commands that a test sends itself use the default
 * user, which has all rights.
 */
public final class RedisUser {

    public static final String NAME = "ovation";

    private static final Path SHIPPED = Path.of("docker/production/redis.acl");
    private static final String PASSWORD = "known-to-all-tests";
    private static final String SETTING = "spring.data.redis.url=";

    /** Begins the address of a {@link RedisCluster}. */
    static final String CLUSTER = "redis-cluster:";

    private RedisUser() {}

    /** The shipped file with the hash of the password, and a default user with all rights. */
    static String rights() {
        try {
            String shipped = Files.readString(SHIPPED);
            String rights =
                    shipped.replace("PASSWORD_SHA256", sha256())
                            .replace("user default off", "user default on nopass ~* &* +@all");
            if (!rights.contains("user default on") || !rights.contains(sha256())) {
                throw new IllegalStateException(SHIPPED + " has an unexpected format");
            }
            return rights;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha256() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(PASSWORD.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address with this user; an address that names a user is unchanged. */
    public static String uri(String address) {
        return address.contains("@")
                ? address
                : address.replaceFirst("//", "//" + NAME + ":" + PASSWORD + "@");
    }

    /** A setting of the service; the address of Redis gets this user. */
    public static Stream<String> settings(String setting) {
        if (!setting.startsWith(SETTING + CLUSTER)) {
            return Stream.of(setting.startsWith(SETTING) ? uri(setting) : setting);
        }
        return Stream.of(
                "spring.data.redis.cluster.nodes=" + setting.substring(setting.indexOf("//") + 2),
                "spring.data.redis.username=" + NAME,
                "spring.data.redis.password=" + PASSWORD);
    }
}
