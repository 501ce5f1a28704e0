package dev.ovation.grpc;

import dev.ovation.crowd.CrowdCalls;
import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.EntityReactions;
import dev.ovation.grpc.v1.EntityReactors;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ListReactorsRequest;
import dev.ovation.grpc.v1.ListUserReactionsRequest;
import dev.ovation.grpc.v1.QueryReactorsRequest;
import dev.ovation.grpc.v1.QueryRequest;
import dev.ovation.grpc.v1.ReactionsGrpc;
import dev.ovation.grpc.v1.ReactorList;
import dev.ovation.grpc.v1.RemoveRequest;
import dev.ovation.grpc.v1.SetRequest;
import dev.ovation.grpc.v1.UserReactionList;
import dev.ovation.grpc.v1.WatchEvent;
import dev.ovation.grpc.v1.WatchRequest;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.grpc.v1.WriteResult;
import dev.ovation.limit.Caller;
import dev.ovation.live.LiveStreams;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.reaction.write.Command;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The methods of {@code dev.ovation.v1.Reactions}: the use cases of the REST API. */
final class ReactionsEndpoint implements ReactionsGrpc.AsyncService {

    private final CallRunner runner;
    private final ReactionCalls reactions;
    private final CrowdCalls crowds;
    private final LiveStreams streams;
    private final OperationStream.Opener batches;

    ReactionsEndpoint(
            CallRunner runner,
            ReactionCalls reactions,
            CrowdCalls crowds,
            LiveStreams streams,
            OperationStream.Opener batches) {
        this.runner = runner;
        this.reactions = reactions;
        this.crowds = crowds;
        this.streams = streams;
        this.batches = batches;
    }

    @Override
    public void add(AddRequest request, StreamObserver<WriteResult> observer) {
        runner.run(
                CallMethod.ADD,
                serverCall(observer),
                (caller, call, answers) -> {
                    Command command = RequestFields.add(request, caller.who());
                    answers.accept(write(command, request.getReturnEntity(), caller, call));
                });
    }

    @Override
    public void remove(RemoveRequest request, StreamObserver<WriteResult> observer) {
        runner.run(
                CallMethod.REMOVE,
                serverCall(observer),
                (caller, call, answers) -> {
                    Command command = RequestFields.remove(request, caller.who());
                    answers.accept(write(command, request.getReturnEntity(), caller, call));
                });
    }

    private WriteResult write(Command command, boolean withState, Caller caller, GrpcCall call) {
        var done = reactions.write(command, withState, call.remaining(), caller);
        return Messages.written(done, command.namespace(), withState, false);
    }

    @Override
    public void set(SetRequest request, StreamObserver<WriteResult> observer) {
        runner.run(
                CallMethod.SET,
                serverCall(observer),
                (caller, call, answers) -> {
                    Command command = RequestFields.set(request, caller.who());
                    var done = reactions.write(command, true, call.remaining(), caller);
                    answers.accept(Messages.written(done, command.namespace(), true, true));
                });
    }

    @Override
    public StreamObserver<WriteOperation> writeBatch(
            StreamObserver<WriteOperationResult> observer) {
        return batches.begin(serverCall(observer));
    }

    @Override
    public void get(GetRequest request, StreamObserver<EntityReactions> observer) {
        runner.run(
                CallMethod.GET,
                serverCall(observer),
                (caller, _, answers) ->
                        answers.accept(
                                Messages.entity(
                                        reactions.read(RequestFields.get(request), caller))));
    }

    @Override
    public void query(QueryRequest request, StreamObserver<EntityReactions> observer) {
        runner.run(
                CallMethod.QUERY,
                serverCall(observer),
                (caller, _, answers) -> {
                    var screen = reactions.query(RequestFields.query(request), caller);
                    for (int item = 0; item < screen.views().size(); item++) {
                        answers.accept(Messages.entity(item, screen));
                    }
                });
    }

    @Override
    public void listReactors(ListReactorsRequest request, StreamObserver<ReactorList> observer) {
        runner.run(
                CallMethod.LIST_REACTORS,
                serverCall(observer),
                (caller, _, answers) ->
                        answers.accept(
                                Messages.page(
                                        crowds.reactors(RequestFields.reactors(request), caller))));
    }

    @Override
    public void queryReactors(
            QueryReactorsRequest request, StreamObserver<EntityReactors> observer) {
        runner.run(
                CallMethod.QUERY_REACTORS,
                serverCall(observer),
                (caller, _, answers) ->
                        crowds.among(RequestFields.among(request), caller).stream()
                                .map(Messages::crowd)
                                .forEach(answers));
    }

    @Override
    public void listUserReactions(
            ListUserReactionsRequest request, StreamObserver<UserReactionList> observer) {
        runner.run(
                CallMethod.LIST_USER_REACTIONS,
                serverCall(observer),
                (caller, _, answers) ->
                        answers.accept(
                                Messages.page(crowds.given(RequestFields.given(request), caller))));
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchEvent> observer) {
        WatchOutlet.begin(request, runner, streams, serverCall(observer));
    }

    /** The observer of a server is one, as the stubs promise. */
    private static <A> ServerCallStreamObserver<A> serverCall(StreamObserver<A> observer) {
        return (ServerCallStreamObserver<A>) observer;
    }
}
