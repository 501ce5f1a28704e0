package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import com.google.protobuf.Timestamp;

import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.EntityReactions;
import dev.ovation.grpc.v1.Friends;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ListReactorsRequest;
import dev.ovation.grpc.v1.ListUserReactionsRequest;
import dev.ovation.grpc.v1.PeopleWish;
import dev.ovation.grpc.v1.QueriedEntity;
import dev.ovation.grpc.v1.QueryReactorsRequest;
import dev.ovation.grpc.v1.QueryRequest;
import dev.ovation.grpc.v1.Reactor;
import dev.ovation.grpc.v1.RemoveRequest;
import dev.ovation.grpc.v1.SetRequest;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.testing.GrpcClient;
import dev.ovation.testing.GrpcResults;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerProperties;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Each call of gRPC beside the request of the REST API that does the same. */
@ExtendWith(TwoInstances.class)
class GrpcApiTest extends ApiFixture {

    private static Instance served;
    private static GrpcClient client;

    @BeforeAll
    static void start() {
        served =
                TwoInstances.beside(
                                Patience.settings(
                                        GrpcClient.SETTINGS,
                                        // Beyond the bound of a wait.
                                        "ovation.requests.deadline=10m",
                                        "ovation.internal.hot.in-flight-ttl=10m"))
                        .attached();
        client = new GrpcClient(served);
    }

    @AfterAll
    static void stop() {
        client.close();
        served.close();
    }

    @Test
    void withoutTheSettingThereIsNoServerAndNoBean() {
        assertThat(service.beans(GrpcServerLifecycle.class)).isEmpty();
        assertThat(service.beans(BindableService.class)).isEmpty();
        assertThat(served.beans(GrpcServerLifecycle.class)).hasSize(1);
    }

    /** As for HTTP: neither a page in a browser nor a caller behind a proxy is of this machine. */
    @Test
    void withoutCredentialsItServesThisMachineOnly() {
        assertThat(served.bean(GrpcServerProperties.class).getAddress().isLoopbackAddress())
                .isTrue();
        for (String[] header :
                List.of(
                        new String[] {"origin", "https://other.example"},
                        new String[] {"x-forwarded-for", "192.0.2.7"})) {
            assertRefusal(
                    () -> client.calls(header).get(asked().build()),
                    Status.Code.UNAUTHENTICATED,
                    "unauthenticated");
        }
    }

    @Test
    void anAddedReactionIsThereForTheRestApi() {
        var result = client.calls().add(add("ann", "👍").build());

        assertThat(result.getApplied()).isTrue();
        assertThat(result.getAddedList()).containsExactly("👍");
        assertThat(result.hasEntity()).isFalse();
        assertThat(counts("posts")).isEqualTo("👍 1");
    }

    @Test
    void aWriteShowsTheEntityWhereItIsAskedFor() {
        given("posts", "bob", "👎");
        var result = client.calls().add(add("ann", "👍").setReturnEntity(true).build());

        assertSame(result.getEntity(), read(service, "posts", "user_id", "ann", "details", "true"));
    }

    @Test
    void aRemovedReactionIsGoneForTheRestApi() {
        given("posts", "ann", "👍");
        given("posts", "bob", "👍");
        var result =
                client.calls()
                        .remove(
                                RemoveRequest.newBuilder()
                                        .setNamespaceId("posts")
                                        .setEntityId(entity)
                                        .setUserId("ann")
                                        .setReactionId("👍")
                                        .build());

        assertThat(result.getRemovedList()).containsExactly("👍");
        assertThat(counts("posts")).isEqualTo("👍 1");
    }

    @Test
    void theIdempotencyKeyOfTheRestApiIsTheSame() {
        assertOk(add("posts", "ann", "👍", "Idempotency-Key", "key-" + entity));

        var again = client.calls().add(add("ann", "👍").setIdempotencyKey("key-" + entity).build());
        assertThat(again.getReplayed()).isTrue();
        assertRefusal(
                () ->
                        client.calls()
                                .add(add("ann", "👎").setIdempotencyKey("key-" + entity).build()),
                Status.Code.INVALID_ARGUMENT,
                "idempotency-mismatch");
    }

    @Test
    void aSetReplacesAllReactionsOfTheUserInTheVersionThatItNames() {
        given("posts", "ann", "👍");
        String version = text(details("posts"), "version");
        var set =
                SetRequest.newBuilder()
                        .setNamespaceId("posts")
                        .setEntityId(entity)
                        .setUserId("ann")
                        .addReactionIds("👎");

        assertRefusal(
                () -> client.calls().set(set.clone().setIfVersion("0").build()),
                Status.Code.ABORTED,
                "precondition-failed");
        assertThat(version).isNotEmpty();
        var result = client.calls().set(set.build());
        assertThat(result.getAddedList()).containsExactly("👎");
        assertThat(result.getRemovedList()).containsExactly("👍");
        assertSame(result.getEntity(), read(service, "posts", "user_id", "ann", "details", "true"));
    }

    @Test
    void anEntityIsTheSameAsThatOfTheRestApi() {
        given("posts", "ann", "👍");
        given("posts", "bob", "👍");
        given("posts", "cat", "👎");

        assertSame(get(asked()), read(service, "posts"));
        assertSame(get(asked().setViewerId("cat")), read(service, "posts", "user_id", "cat"));
        assertSame(
                get(asked().setViewerId("ann").setDetails(true)),
                read(service, "posts", "user_id", "ann", "details", "true"));
        assertSame(
                get(asked().setDetails(true).setPeople(2)),
                read(service, "posts", "details", "true", "people", "2"));
        assertSame(
                get(asked().setNamespaceId("ratings").setDetails(true)),
                read(service, "ratings", "details", "true"));
    }

    @Test
    void ratingsHaveTheSumAndTheAverageOfTheRestApi() {
        given("ratings", "ann", "5");
        given("ratings", "bob", "4");
        given("ratings", "cat", "4");

        var rated = get(asked().setNamespaceId("ratings").setDetails(true));
        assertThat(rated.hasAverage()).isTrue();
        assertSame(rated, read(service, "ratings", "details", "true"));
    }

    @Test
    void aScreenHasTheEntitiesOfTheRestApiInOrder() {
        String viewer = "ann-" + entity; // instances keep names of users for a while
        given("posts", viewer, "👍");
        given("ratings", viewer, "5");
        String known =
                text(
                        read(service, "posts", "user_id", viewer, "details", "true").json(),
                        "version");
        var query =
                QueryRequest.newBuilder()
                        .setNamespaceId("posts")
                        .setViewerId(viewer)
                        .setDetails(true)
                        .setReactors(2)
                        .setPeople(
                                PeopleWish.newBuilder()
                                        .setLimit(1)
                                        .setFriends(Friends.FRIENDS_FIRST))
                        .addEntities(QueriedEntity.newBuilder().setEntityId(entity))
                        .addEntities(
                                QueriedEntity.newBuilder()
                                        .setEntityId(entity)
                                        .setNamespaceId("ratings"))
                        .addEntities(QueriedEntity.newBuilder().setEntityId("none-" + entity))
                        .addEntities(
                                QueriedEntity.newBuilder().setEntityId(entity).setVersion(known));
        String body =
                """
                {"namespace_id":"posts","viewer_id":"%3$s","details":true,"reactors":2,
                 "people":{"limit":1,"friends":"first"},
                 "entities":["%1$s",{"entity_id":"%1$s","namespace_id":"ratings"},"none-%1$s",
                             {"entity_id":"%1$s","version":"%2$s"}]}
                """
                        .formatted(entity, known, viewer);
        List<JsonNode> expected =
                service.send("POST", "/reactions/query", body)
                        .json()
                        .get("entities")
                        .valueStream()
                        .toList();

        var found = new ArrayList<EntityReactions>();
        client.calls().query(query.build()).forEachRemaining(found::add);
        assertThat(found).hasSameSizeAs(expected);
        assertThat(found.getLast().getUnchanged()).isTrue();
        for (int i = 0; i < found.size(); i++) {
            assertSame(found.get(i), expected.get(i));
        }
    }

    @Test
    void reactorsAreListedPageByPage() {
        for (String user : List.of("ann", "bob", "cat")) {
            given("posts", user, "👍");
        }
        var asked =
                ListReactorsRequest.newBuilder()
                        .setNamespaceId("posts")
                        .setEntityId(entity)
                        .setLimit(2);
        JsonNode expected =
                service.get("/reactions/users?namespace_id=posts&limit=2&entity_id=" + entity)
                        .json();
        var page = client.calls().listReactors(asked.build());

        assertThat(page.getUsersList().stream().map(GrpcApiTest::reactor))
                .containsExactlyElementsOf(reactors(expected.get("users")));
        assertThat(page.getNextCursor()).isEqualTo(text(expected, "next_cursor"));
        var last = client.calls().listReactors(asked.setCursor(page.getNextCursor()).build());
        assertThat(last.getUsersList().stream().map(Reactor::getUserId)).containsExactly("ann");
        assertThat(last.getNextCursor()).isEmpty();
        assertRefusal(
                () -> client.calls().listReactors(asked.setOldestFirst(true).build()),
                Status.Code.INVALID_ARGUMENT,
                "invalid-cursor");
    }

    @Test
    void reactorsAmongUsersAreThoseOfTheRestApi() {
        given("posts", "ann", "👍");
        given("posts", "bob", "👎");
        String body =
                "{\"namespace_id\":\"posts\",\"entity_ids\":[\"%s\",\"none\"],\"among\":[\"bob\",\"dan\"]}"
                        .formatted(entity);
        JsonNode expected =
                service.send("POST", "/reactions/users/query", body).json().get("entities");
        var found =
                client.calls()
                        .queryReactors(
                                QueryReactorsRequest.newBuilder()
                                        .setNamespaceId("posts")
                                        .addEntityIds(entity)
                                        .addEntityIds("none")
                                        .addAmong("bob")
                                        .addAmong("dan")
                                        .build());

        for (JsonNode each : expected) {
            var one = found.next();
            assertThat(one.getEntityId()).isEqualTo(text(each, "entity_id"));
            assertThat(one.getCount()).isEqualTo(each.get("count").longValue());
            assertThat(one.getUsersList().stream().map(GrpcApiTest::reactor))
                    .containsExactlyElementsOf(reactors(each.get("users")));
        }
        assertThat(found.hasNext()).isFalse();
    }

    @Test
    void theReactionsOfAUserAreThoseOfTheRestApi() {
        String user = "user-" + entity;
        given("posts", user, "👍");
        given("ratings", user, "5");
        JsonNode expected = service.get("/users/reactions?limit=1&user_id=" + user).json();
        var page =
                client.calls()
                        .listUserReactions(
                                ListUserReactionsRequest.newBuilder()
                                        .setUserId(user)
                                        .setLimit(1)
                                        .build());

        assertThat(page.getNextCursor()).isEqualTo(text(expected, "next_cursor"));
        assertThat(page.getReactionsList()).hasSize(1);
        JsonNode one = expected.get("reactions").get(0);
        var found = page.getReactions(0);
        assertThat(found.getNamespaceId()).isEqualTo(text(one, "namespace_id"));
        assertThat(found.getEntityId()).isEqualTo(text(one, "entity_id"));
        assertThat(found.getReactionId()).isEqualTo(text(one, "reaction_id"));
        assertThat(instant(found.getReactedAt())).isEqualTo(text(one, "reacted_at"));
    }

    @Test
    void aStreamOfOperationsAnswersEachByItsNumber() {
        var results = new GrpcResults<WriteOperationResult>();
        var operations = client.streams().writeBatch(results);
        // More than are written together, all of one entity: the last ones win.
        for (int i = 0; i < 300; i++) {
            String reaction = i % 2 == 0 ? "👍" : "👎";
            operations.onNext(
                    WriteOperation.newBuilder()
                            .setNumber(i)
                            .setAdd(add("ann", reaction).setForce(true))
                            .build());
        }
        operations.onNext(
                WriteOperation.newBuilder().setNumber(300).setAdd(add("ann", "none")).build());
        operations.onNext(WriteOperation.newBuilder().setNumber(301).build());
        operations.onCompleted();

        assertThat(results.failureAtTheEnd()).isNull();
        var byNumber =
                new TreeMap<>(
                        results.all().stream()
                                .collect(toMap(WriteOperationResult::getNumber, identity())));
        assertThat(byNumber).hasSize(302);
        assertThat(byNumber.headMap(300L).values()).allMatch(WriteOperationResult::getApplied);
        assertThat(byNumber.get(300L).getProblem().getCode()).isEqualTo("unknown-reaction");
        assertThat(byNumber.get(301L).getProblem().getCode()).isEqualTo("malformed-request");
        assertThat(counts("posts")).isEqualTo("👎 1");
    }

    @Test
    void refusalsHaveTheProblemCodeOfTheRestApi() {
        given("posts", "ann", "👍");

        var conflict =
                assertRefusal(
                        () -> client.calls().add(add("ann", "👎").build()),
                        Status.Code.FAILED_PRECONDITION,
                        "conflicting-reaction");
        assertThat(conflict.info().getMetadataMap())
                .containsEntry("conflicting", "[\"👍\"]")
                .containsEntry("outcome", "refused")
                .containsKey("request_id");
        assertRefusal(
                () -> client.calls().add(add("ann", "👍").build()),
                Status.Code.ALREADY_EXISTS,
                "reaction-already-exists");
        assertThat(client.calls().add(add("ann", "👍").setExistingIsOk(true).build()).getApplied())
                .isFalse();
        assertRefusal(
                () -> client.calls().add(add("ann", "👍").setNamespaceId("none").build()),
                Status.Code.NOT_FOUND,
                "unknown-namespace");
        var malformed =
                assertRefusal(
                        () -> client.calls().add(AddRequest.getDefaultInstance()),
                        Status.Code.INVALID_ARGUMENT,
                        "malformed-request");
        assertThat(malformed.info().getMetadataOrThrow("violations"))
                .contains("namespace_id", "entity_id", "user_id", "reaction_id");
        var read =
                assertRefusal(
                        () -> get(asked().setNamespaceId("none")),
                        Status.Code.NOT_FOUND,
                        "unknown-namespace");
        assertThat(read.info().getMetadataMap()).doesNotContainKey("outcome");
    }

    @Test
    void theIdOfARequestIsThatOfTheClient() {
        var refusal =
                GrpcClient.refusal(
                        () ->
                                client.calls("x-request-id", "mine-1")
                                        .add(AddRequest.getDefaultInstance()));

        assertThat(refusal.info().getMetadataMap()).containsEntry("request_id", "mine-1");
    }

    /** The change may be made after the client has gone, whose thread does not wait for it. */
    @Test
    void aWriteEndsAtTheDeadlineOfItsClient() throws Exception {
        var active =
                served.bean(MeterRegistry.class)
                        .get("ovation.requests.active")
                        .tag("kind", "writes")
                        .gauge();
        try (var _ = HeldPartition.of(partition("letters"))) {
            var late = client.calls().withDeadlineAfter(500, TimeUnit.MILLISECONDS);
            var refusal =
                    GrpcClient.refusal(
                            () -> late.add(add("ann", "a").setNamespaceId("letters").build()));
            // The client and the service see the deadline at the same time, and either may say so.
            assertThat(refusal.status()).isIn(Status.Code.DEADLINE_EXCEEDED, Status.Code.UNKNOWN);
            Wait.until("the write has ended without its commit", () -> active.value() == 0);
        }
        assertThat(
                        GrpcClient.refusal(
                                        () ->
                                                client.calls()
                                                        .withDeadlineAfter(-1, TimeUnit.SECONDS)
                                                        .get(asked().build()))
                                .status())
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }

    @Test
    void aWatchHasThePresentStateAndEachCommittedChange() {
        given("posts", "ann", "👍");
        try (var context = Context.current().withCancellation()) {
            Iterator<WatchEvent> events =
                    context.wrap(() -> client.calls().watch(watched("ann").build())).call();

            var first = events.next().getState();
            assertThat(first.getSnapshot()).isTrue();
            assertSame(
                    first.getEntity(), read(service, "posts", "user_id", "ann", "details", "true"));
            given("posts", "bob", "👎");
            var next = events.next().getState();
            assertThat(next.getSnapshot()).isFalse();
            assertSame(
                    next.getEntity(), read(service, "posts", "user_id", "ann", "details", "true"));

            Iterator<WatchEvent> resumed =
                    context.wrap(
                                    () ->
                                            client.calls()
                                                    .watch(
                                                            watched("ann")
                                                                    .setLastEventId(next.getId())
                                                                    .build()))
                            .call();
            given("posts", "cat", "👎");
            assertThat(resumed.next().getState().getEntity().getTotal()).isEqualTo(3);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aWatchThatItsClientLeavesIsReleased() throws Exception {
        Wait.until("those of other tests are released", () -> watchers() == 0);
        var context = Context.current().withCancellation();
        Iterator<WatchEvent> events =
                context.wrap(() -> client.calls().watch(watched("dan").build())).call();
        assertThat(events.next().hasState()).isTrue();
        assertThat(watchers()).isEqualTo(1);

        context.close();
        Wait.until("it is released", () -> watchers() == 0);
    }

    private static double watchers() {
        return Metrics.of(served).value("ovation_live_watchers");
    }

    @Test
    void violationsOfAWatchNameItsFields() {
        var watch = WatchRequest.newBuilder().setNamespaceId("posts").setViewerId("x".repeat(300));
        var malformed =
                assertRefusal(
                        () -> client.calls().watch(watch.build()).next(),
                        Status.Code.INVALID_ARGUMENT,
                        "malformed-request");

        assertThat(malformed.info().getMetadataOrThrow("violations"))
                .contains("\"entity_ids\"", "\"viewer_id\"");
    }

    /** A stream that the stop breaks off has no details. */
    @Test
    void anInstanceThatStopsEndsItsStreams() {
        Instance stopped = TwoInstances.beside(GrpcClient.SETTINGS).attached();
        try (var own = new GrpcClient(stopped)) {
            Iterator<WatchEvent> events = own.calls().watch(watched("ann").build());
            assertThat(events.next().hasState()).isTrue();
            var results = new GrpcResults<WriteOperationResult>();
            own.streams()
                    .writeBatch(results)
                    .onNext(WriteOperation.newBuilder().setAdd(add("ann", "👍")).build());
            Wait.until("the operations are read", () -> !results.all().isEmpty());
            stopped.close();

            var last = events.next();
            assertThat((last.hasState() ? events.next() : last).getEnd().getReason())
                    .isEqualTo("shutdown");
            assertThat(events.hasNext()).isFalse();
            var refusal = GrpcClient.refusal(results.failureAtTheEnd());
            assertThat(refusal.status()).isEqualTo(Status.Code.UNAVAILABLE);
            assertThat(refusal.info()).isNotNull();
            assertThat(refusal.info().getReason()).isEqualTo("unavailable");
        } finally {
            stopped.close();
        }
    }

    private AddRequest.Builder add(String user, String reaction) {
        return AddRequest.newBuilder()
                .setNamespaceId("posts")
                .setEntityId(entity)
                .setUserId(user)
                .setReactionId(reaction);
    }

    private GetRequest.Builder asked() {
        return GetRequest.newBuilder().setNamespaceId("posts").setEntityId(entity);
    }

    private WatchRequest.Builder watched(String viewer) {
        return WatchRequest.newBuilder()
                .setNamespaceId("posts")
                .addEntityIds(entity)
                .setViewerId(viewer);
    }

    private static EntityReactions get(GetRequest.Builder request) {
        return client.calls().get(request.build());
    }

    private static GrpcClient.Refusal assertRefusal(
            Runnable call, Status.Code status, String code) {
        var refusal = GrpcClient.refusal(call);
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.info()).isNotNull();
        assertThat(refusal.info().getReason()).isEqualTo(code);
        assertThat(refusal.info().getDomain()).isEqualTo("ovation");
        return refusal;
    }

    private static void assertSame(EntityReactions found, Instance.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertSame(found, answer.json());
    }

    /** Compares an entity with the JSON of the REST API. */
    private static void assertSame(EntityReactions found, JsonNode json) {
        assertThat(json(found)).isEqualTo(plain(json));
    }

    /** The members of the REST API's JSON, made from a message. */
    private static Map<String, Object> json(EntityReactions found) {
        Map<String, Object> json = new TreeMap<>();
        json.put("entity_id", found.getEntityId());
        if (found.getUnchanged()) {
            json.put("version", found.getVersion());
            json.put("unchanged", true);
            return json;
        }
        json.put(
                "reactions_count",
                found.getCountsList().stream()
                        .map(
                                each -> {
                                    Map<String, Object> count = new TreeMap<>();
                                    count.put("reaction_id", each.getReactionId());
                                    count.put("count", (double) each.getCount());
                                    if (each.hasFirstReactedAt()) {
                                        count.put(
                                                "first_reacted_at",
                                                instant(each.getFirstReactedAt()));
                                        count.put(
                                                "last_reacted_at",
                                                instant(each.getLastReactedAt()));
                                    }
                                    if (each.getRetired()) {
                                        count.put("retired", true);
                                    }
                                    return count;
                                })
                        .toList());
        if (found.getLocked()) {
            json.put("locked", true);
        }
        if (found.hasUserReactions()) {
            json.put(
                    "user_reactions",
                    Map.of(
                            "user_id",
                            found.getUserReactions().getUserId(),
                            "reactions",
                            List.copyOf(found.getUserReactions().getReactionIdsList())));
        }
        if (!found.getVersion().isEmpty()) {
            json.put("version", found.getVersion());
            json.put("total", (double) found.getTotal());
        }
        if (found.hasSum()) {
            json.put("sum", found.getSum());
            json.put("average", found.getAverage());
        }
        if (found.getReactorsCount() > 0) {
            json.put(
                    "reactors",
                    found.getReactorsList().stream().map(GrpcApiTest::reactor).toList());
        }
        if (found.hasPeople()) {
            Map<String, Object> people = new TreeMap<>();
            people.put("total", (double) found.getPeople().getTotal());
            if (found.getPeople().hasFriends()) {
                people.put("friends", (double) found.getPeople().getFriends());
            }
            people.put(
                    "shown",
                    found.getPeople().getShownList().stream()
                            .map(
                                    each ->
                                            Map.of(
                                                    "user_id",
                                                    each.getUserId(),
                                                    "reactions",
                                                    List.copyOf(each.getReactionIdsList())))
                            .toList());
            json.put("people", people);
        }
        return json;
    }

    private static Map<String, Object> reactor(Reactor reactor) {
        return Map.of(
                "user_id",
                reactor.getUserId(),
                "reactions",
                reactor.getReactionsList().stream()
                        .map(
                                each ->
                                        Map.of(
                                                "reaction_id",
                                                each.getReactionId(),
                                                "reacted_at",
                                                instant(each.getReactedAt())))
                        .toList());
    }

    private static List<Map<String, Object>> reactors(JsonNode users) {
        var reactors = new ArrayList<Map<String, Object>>();
        for (JsonNode each : users) {
            reactors.add(
                    Map.of(
                            "user_id",
                            text(each, "user_id"),
                            "reactions",
                            plain(each.get("reactions"))));
        }
        return reactors;
    }

    private static String instant(Timestamp time) {
        String text = Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).toString();
        // The REST API always writes three places.
        return text.contains(".") ? text : text.replace("Z", ".000Z");
    }

    /** Numbers become doubles, and empty lists of reactors are left out as messages have none. */
    private static Object plain(JsonNode node) {
        if (node.isObject()) {
            Map<String, Object> members = new TreeMap<>();
            node.properties()
                    .forEach(
                            each -> {
                                boolean none =
                                        each.getKey().equals("reactors")
                                                && each.getValue().isEmpty();
                                if (!none) {
                                    members.put(each.getKey(), plain(each.getValue()));
                                }
                            });
            return members;
        }
        if (node.isArray()) {
            return node.valueStream().map(GrpcApiTest::plain).toList();
        }
        return node.isNumber()
                ? (Object) node.doubleValue()
                : node.isBoolean() ? (Object) node.booleanValue() : node.stringValue();
    }
}
