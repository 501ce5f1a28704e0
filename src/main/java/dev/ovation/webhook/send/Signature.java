package dev.ovation.webhook.send;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of messages by the specification Standard Webhooks, version 1. */
public final class Signature {

    private static final String PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Signature() {}

    /** Returns a new secret: {@code whsec_} and 32 random bytes in Base64. */
    public static String newSecret() {
        var bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Returns the value of the header {@code webhook-signature}.
     *
     * @param id of the message
     * @param timestamp of the attempt, in seconds since 1970
     */
    public static String of(String secret, String id, long timestamp, byte[] body) {
        byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK lacks " + ALGORITHM, e);
        }
    }
}
