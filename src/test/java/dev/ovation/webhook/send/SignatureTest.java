package dev.ovation.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

class SignatureTest {

    /** The published example of Standard Webhooks. */
    @Test
    void anExampleOfTheSpecificationHasItsSignature() {
        assertThat(
                        Signature.of(
                                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                1_614_265_330,
                                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void aSecretHas32RandomBytes() {
        String secret = Signature.newSecret();

        assertThat(secret).startsWith("whsec_").isNotEqualTo(Signature.newSecret());
        assertThat(Base64.getDecoder().decode(secret.substring(6))).hasSize(32);
    }
}
