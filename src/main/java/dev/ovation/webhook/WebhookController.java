package dev.ovation.webhook;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.entity.Micros;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;
import dev.ovation.webhook.DeadLetters.DeadLetter;
import dev.ovation.webhook.Webhook.Target;
import dev.ovation.webhook.Webhooks.WebhookState;
import dev.ovation.webhook.send.Signature;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** {@code /webhooks}. */
@Controller
final class WebhookController {

    private static final Map<String, String> OK = Map.of("status", "ok");

    private final Webhooks webhooks;
    private final boolean allowPrivate;
    private final long maxBody;
    private final Bulkhead tests = new Bulkhead("tests of webhooks", 8, Duration.ofSeconds(1));

    WebhookController(
            Webhooks webhooks,
            WebhookSettings settings,
            @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.webhooks = webhooks;
        this.allowPrivate = settings.allowPrivate();
        this.maxBody = maxBody.toBytes();
    }

    private record WebhooksJson(List<WebhookJson> webhooks) {}

    private record WebhookJson(
            String webhookId,
            String url,
            @Nullable List<String> namespaces,
            List<String> kinds,
            @Nullable List<Long> milestones,
            BatchJson batch,
            String createdAt,
            String state,
            long lag,
            @Nullable String lastError,
            @Nullable String deliveredAt,
            List<DeadLetterJson> deadLetters) {}

    private record BatchJson(int max, int delayMs) {}

    private record DeadLetterJson(
            String messageId, String failedAt, int events, int attempts, String error) {}

    private record SecretJson(String status, @Nullable String secret) {}

    private record TestJson(boolean delivered, @Nullable String error) {}

    @PutMapping("/webhooks")
    @RequiresScope(Scope.WEBHOOKS)
    HttpAnswer put(HttpServletRequest request) throws IOException {
        var violations = new RequestViolations();
        String id = id(request, violations, "webhook_id");
        JsonBody body = JsonBody.read(request, maxBody);
        Target target = WebhookRequest.target(body, allowPrivate, violations);
        violations.throwIfAny();
        String secret = Signature.newSecret();
        boolean isNew = webhooks.put(id, target, secret);
        return HttpAnswer.json(new SecretJson("ok", isNew ? secret : null));
    }

    @GetMapping("/webhooks")
    @RequiresScope(Scope.WEBHOOKS)
    HttpAnswer list(HttpServletRequest request) {
        QueryString.none(request);
        var violations = new RequestViolations();
        IdFields.everyNamespace(Principal.of(request), violations);
        violations.throwIfAny();
        return HttpAnswer.json(
                new WebhooksJson(webhooks.all().stream().map(WebhookController::json).toList()));
    }

    @DeleteMapping("/webhooks")
    @RequiresScope(Scope.WEBHOOKS)
    HttpAnswer delete(HttpServletRequest request) {
        var violations = new RequestViolations();
        String id = id(request, violations, "webhook_id");
        violations.throwIfAny();
        webhooks.delete(id);
        return HttpAnswer.json(OK);
    }

    @PostMapping("/webhooks/test")
    @RequiresScope(Scope.WEBHOOKS)
    HttpAnswer test(HttpServletRequest request) {
        var violations = new RequestViolations();
        String id = id(request, violations, "webhook_id");
        violations.throwIfAny();
        try (var _ = tests.take()) {
            String error = webhooks.test(id);
            return HttpAnswer.json(new TestJson(error == null, error));
        }
    }

    @PostMapping("/webhooks/replay")
    @RequiresScope(Scope.WEBHOOKS)
    HttpAnswer replay(HttpServletRequest request) {
        var violations = new RequestViolations();
        String id = id(request, violations, "webhook_id", "from");
        Long from = WebhookRequest.from(QueryString.of(request), violations);
        violations.throwIfAny();
        return HttpAnswer.json(json(webhooks.replay(id, from)));
    }

    private static String id(
            HttpServletRequest request, RequestViolations violations, String... known) {
        IdFields.everyNamespace(Principal.of(request), violations);
        return WebhookRequest.id(QueryString.of(request, known), violations);
    }

    private static WebhookJson json(WebhookState state) {
        Webhook webhook = state.webhook();
        Target target = webhook.target();
        return new WebhookJson(
                webhook.id(),
                target.url(),
                target.namespaces(),
                target.kinds(),
                target.milestones().isEmpty() ? null : target.milestones(),
                new BatchJson(target.max(), target.delayMillis()),
                time(webhook.createdAt()),
                webhook.attempts() > 0 ? "failing" : "active",
                state.lag(),
                webhook.lastError(),
                webhook.deliveredAt() == null ? null : time(webhook.deliveredAt()),
                state.deadLetters().stream().map(WebhookController::json).toList());
    }

    private static DeadLetterJson json(DeadLetter letter) {
        return new DeadLetterJson(
                letter.messageId(),
                time(letter.failedAt()),
                letter.events(),
                letter.attempts(),
                letter.error());
    }

    private static String time(Instant instant) {
        return Micros.text(ChronoUnit.MICROS.between(Instant.EPOCH, instant));
    }
}
