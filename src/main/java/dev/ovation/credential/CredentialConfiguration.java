package dev.ovation.credential;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.nio.file.Path;
import java.time.Clock;

/** Reads the configured credentials. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
    AccessSettings.class,
    AccessSettings.IssuerConstants.class,
    TokenSettings.class
})
class CredentialConfiguration {

    @Bean
    Credentials credentials(
            AccessSettings access, AccessSettings.IssuerConstants issuer, TokenSettings accepted) {
        Clock clock = Clock.systemUTC();
        return new Credentials(
                access.keys().isEmpty() ? null : new ApiKeys(Path.of(access.keys()), clock),
                accepted.areGiven()
                        ? new JwtDecoders(accepted, access.jwt(), issuer.timeout(), clock)
                        : null,
                clock);
    }
}
