package dev.ovation.testing;

import com.sun.net.httpserver.HttpExchange;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A message of a webhook, as a receiver got it.
 *
 * @param status of the answer to it
 */
public record WebhookMessage(
        String id, String timestamp, String signature, String type, String body, int status) {

    /** Reads a request. */
    public static WebhookMessage of(HttpExchange exchange, int status) throws IOException {
        var headers = exchange.getRequestHeaders();
        return new WebhookMessage(
                headers.getFirst("webhook-id"),
                headers.getFirst("webhook-timestamp"),
                headers.getFirst("webhook-signature"),
                headers.getFirst("Content-Type"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                status);
    }

    public List<JsonNode> events() {
        return JsonMapper.shared().readTree(body).valueStream().toList();
    }

    /** Computes the signature as the specification has it, apart from the service. */
    public String expectedSignature(String secret) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            byte[] signed =
                    "%s.%s.%s".formatted(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
