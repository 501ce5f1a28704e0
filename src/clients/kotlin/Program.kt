import org.openapitools.client.apis.CrowdsApi
import org.openapitools.client.apis.ReactionsApi
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.Batch
import org.openapitools.client.models.BatchOperation
import org.openapitools.client.models.MalformedRequestProblem
import org.openapitools.client.models.OneReaction
import org.openapitools.client.models.RefusalProblem
import org.openapitools.client.models.Screen
import org.openapitools.client.models.ScreenItem
import org.openapitools.client.models.WholeSet
import java.io.PrintStream
import java.util.UUID

private val out = PrintStream(System.out, true, Charsets.UTF_8)

private inline fun <reified T> problem(e: ClientException): T =
    Serializer.moshi.adapter(T::class.java).fromJson((e.response as ClientError<*>).body as String)!!

/** Calls the service with the generated client. Arguments: address of the service, id of an entity. */
fun main(args: Array<String>) {
    val (address, entity) = args
    val reactions = ReactionsApi(address)
    val crowds = CrowdsApi(address)
    val key = UUID.randomUUID().toString()
    fun reaction(user: String, reaction: String, of: String = entity) = OneReaction("posts", of, user, reaction)

    // A repeated key answers the first result and changes nothing.
    for (attempt in listOf("add", "retry")) {
        val added = reactions.addReaction(
            reaction("ann", "👍"), idempotencyKey = key, prefer = "return=representation"
        )
        out.println("$attempt ${added.outcome?.value} ${added.added?.joinToString(" ")}")
    }

    try {
        reactions.addReaction(reaction("ann", "👎"))
    } catch (e: ClientException) {
        val refusal = problem<RefusalProblem>(e)
        out.println(
            "conflict ${e.statusCode} ${refusal.code} ${refusal.outcome.value} ${refusal.conflicting?.joinToString(" ")}"
        )
    }

    try {
        reactions.addReaction(reaction("ann", "👍", "é".repeat(200)))
    } catch (e: ClientException) {
        out.println("malformed ${problem<MalformedRequestProblem>(e).violations.first().field}")
    }

    val set = reactions.setReactions(
        WholeSet("posts", entity, "ann", listOf("👎")), idempotencyKey = UUID.randomUUID().toString()
    )
    out.println("set ${set.outcome.value} ${set.added.joinToString(" ")} ${set.removed.joinToString(" ")}")

    val known = ScreenItem(entity, version = set.entity.version)
    val again = reactions.queryReactions(Screen("posts", listOf(known), viewerId = "ann", details = true))
    out.println("screen unchanged ${again.entities.first().unchanged}")
    val seen = reactions.queryReactions(
        Screen("posts", listOf(ScreenItem(entity)), viewerId = "ann", reactors = 2)
    ).entities.first()
    out.println(
        "screen ${seen.reactionsCount?.first()?.count} ${seen.userReactions?.reactions?.joinToString(" ")} " +
            "${seen.reactors?.first()?.userId}"
    )

    fun operation(user: String) = BatchOperation(BatchOperation.Op.add, "posts", entity, user, "👎")
    val answer = reactions.writeReactions(
        Batch(listOf(operation("ben"), operation("ann"))), idempotencyKey = UUID.randomUUID().toString()
    )
    out.println("batch " + answer.results.joinToString(" ") {
        listOfNotNull(it.outcome.value, it.problem?.code).joinToString(" ")
    })

    var cursor: String? = null
    do {
        val page = crowds.listReactors(
            "posts", entity, order = CrowdsApi.OrderListReactors.oldest, limit = 1, cursor = cursor
        )
        page.users.forEach { out.println("page ${it.userId}") }
        cursor = page.nextCursor
    } while (cursor != null)
}
