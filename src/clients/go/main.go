// Calls the service with the generated client. Arguments: address of the service, id of an entity.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	ovation "example.com/ovation/client"
)

var entity string

func reaction(user, reaction string) ovation.OneReaction {
	return *ovation.NewOneReaction("posts", entity, user, reaction)
}

func operation(user string) ovation.BatchOperation {
	return *ovation.NewBatchOperation("add", "posts", entity, user, "👎")
}

func newKey() string {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	must(err)
	return hex.EncodeToString(bytes)
}

// problem returns the typed problem of a refused call.
func problem[T any](err error) T {
	var failed *ovation.GenericOpenAPIError
	if errors.As(err, &failed) {
		if model, ok := failed.Model().(T); ok {
			return model
		}
	}
	panic(err)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	address := os.Args[1]
	entity = os.Args[2]
	configuration := ovation.NewConfiguration()
	configuration.Servers = ovation.ServerConfigurations{{URL: address}}
	client := ovation.NewAPIClient(configuration)
	ctx := context.Background()
	key := newKey()

	// A repeated key answers the first result and changes nothing.
	for _, attempt := range []string{"add", "retry"} {
		added, _, err := client.ReactionsAPI.AddReaction(ctx).OneReaction(reaction("ann", "👍")).
			IdempotencyKey(key).Prefer("return=representation").Execute()
		must(err)
		fmt.Println(attempt, added.GetOutcome(), strings.Join(added.GetAdded(), " "))
	}

	_, response, err := client.ReactionsAPI.AddReaction(ctx).OneReaction(reaction("ann", "👎")).Execute()
	refusal := problem[ovation.RefusalProblem](err)
	fmt.Println("conflict", response.StatusCode, refusal.GetCode(), refusal.GetOutcome(),
		strings.Join(refusal.GetConflicting(), " "))

	long := reaction("ann", "👍")
	long.SetEntityId(strings.Repeat("é", 200))
	_, _, err = client.ReactionsAPI.AddReaction(ctx).OneReaction(long).Execute()
	malformed := problem[ovation.MalformedRequestProblem](err)
	fmt.Println("malformed", malformed.GetViolations()[0].GetField())

	set, _, err := client.ReactionsAPI.SetReactions(ctx).
		WholeSet(*ovation.NewWholeSet("posts", entity, "ann", []string{"👎"})).
		IdempotencyKey(newKey()).Execute()
	must(err)
	fmt.Println("set", set.GetOutcome(), strings.Join(set.GetAdded(), " "), strings.Join(set.GetRemoved(), " "))

	known := ovation.NewScreenItem(entity)
	written := set.GetEntity()
	known.SetVersion(written.GetVersion())
	screen := ovation.NewScreen("posts", []ovation.ScreenItem{*known})
	screen.SetViewerId("ann")
	screen.SetDetails(true)
	again, _, err := client.ReactionsAPI.QueryReactions(ctx).Screen(*screen).Execute()
	must(err)
	fmt.Println("screen unchanged", again.Entities[0].GetUnchanged())
	screen = ovation.NewScreen("posts", []ovation.ScreenItem{*ovation.NewScreenItem(entity)})
	screen.SetViewerId("ann")
	screen.SetReactors(2)
	seen, _, err := client.ReactionsAPI.QueryReactions(ctx).Screen(*screen).Execute()
	must(err)
	mine := seen.Entities[0].GetUserReactions()
	fmt.Println("screen", seen.Entities[0].GetReactionsCount()[0].GetCount(),
		strings.Join(mine.GetReactions(), " "), seen.Entities[0].GetReactors()[0].GetUserId())

	batch := ovation.NewBatch([]ovation.BatchOperation{operation("ben"), operation("ann")})
	answer, _, err := client.ReactionsAPI.WriteReactions(ctx).Batch(*batch).IdempotencyKey(newKey()).Execute()
	must(err)
	words := []string{"batch"}
	for _, each := range answer.GetResults() {
		words = append(words, each.GetOutcome())
		if each.HasProblem() {
			words = append(words, each.Problem.GetCode())
		}
	}
	fmt.Println(strings.Join(words, " "))

	for cursor, more := "", true; more; {
		page, _, err := client.CrowdsAPI.ListReactors(ctx).NamespaceId("posts").EntityId(entity).
			Order("oldest").Limit(1).Cursor(cursor).Execute()
		must(err)
		for _, each := range page.GetUsers() {
			fmt.Println("page", each.GetUserId())
		}
		cursor, more = page.GetNextCursor(), page.HasNextCursor()
	}
}
