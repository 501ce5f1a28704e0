package dev.ovation.web;

import dev.ovation.testing.Gzip;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One connection of HTTP/2 with prior knowledge, without TLS, with one request. */
public final class Http2Client {

    private static final int MAX_BODY = 16 * 1024 * 1024;

    private static final EventLoopGroup THREADS =
            new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("http2-client", true), NioIoHandler.newFactory());

    private Http2Client() {}

    /** Sends a GET without further headers. */
    public static Answer get(int port, String target) {
        return send(port, "GET", target, Map.of(), null);
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @param target path and query, which are sent as UTF-8 as they are
     * @param body null for none
     * @throws IllegalStateException if no complete answer arrives
     */
    public static Answer send(
            int port, String method, String target, Map<String, String> headers, byte[] body) {
        var answer = new CompletableFuture<Answer>();
        Channel connection = connect(port);
        try {
            Channel stream =
                    new Http2StreamChannelBootstrap(connection)
                            .handler(handlers(answer))
                            .open()
                            .sync()
                            .getNow();
            stream.closeFuture()
                    .addListener(
                            _ -> answer.completeExceptionally(new IOException("the stream ended")));
            stream.writeAndFlush(request(method, target, headers, body));
            return answer.get(Wait.BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(method + " " + target, e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            connection.close();
        }
    }

    private static Channel connect(int port) {
        var codecs =
                new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connection
                                .pipeline()
                                .addLast(Http2FrameCodecBuilder.forClient().build())
                                .addLast(
                                        new Http2MultiplexHandler(
                                                new ChannelInboundHandlerAdapter()));
                    }
                };
        return new Bootstrap()
                .group(THREADS)
                .channel(NioSocketChannel.class)
                .handler(codecs)
                .connect("127.0.0.1", port)
                .syncUninterruptibly()
                .channel();
    }

    private static ChannelInitializer<Channel> handlers(CompletableFuture<Answer> answer) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                stream.pipeline()
                        .addLast(new Http2StreamFrameToHttpObjectCodec(false))
                        .addLast(new HttpObjectAggregator(MAX_BODY))
                        .addLast(new Receiver(answer));
            }
        };
    }

    private static DefaultFullHttpRequest request(
            String method, String target, Map<String, String> headers, byte[] body) {
        byte[] utf8 = target.getBytes(StandardCharsets.UTF_8);
        var request =
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1, // what the codec translates from
                        HttpMethod.valueOf(method),
                        new String(utf8, StandardCharsets.ISO_8859_1), // a char is a byte
                        Unpooled.wrappedBuffer(body == null ? new byte[0] : body));
        request.headers().set("Host", "localhost");
        if (body != null) {
            request.headers().set("Content-Length", body.length);
        }
        headers.forEach(request.headers()::set);
        return request;
    }

    /** Takes the answer of a stream. */
    private static final class Receiver extends SimpleChannelInboundHandler<FullHttpResponse> {

        private final CompletableFuture<Answer> answer;

        Receiver(CompletableFuture<Answer> answer) {
            this.answer = answer;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            var headers = new LinkedHashMap<String, String>();
            response.headers().forEach(each -> headers.putIfAbsent(each.getKey(), each.getValue()));
            answer.complete(
                    new Answer(
                            response.status().code(),
                            headers,
                            new String(
                                    Gzip.decoded(
                                            ByteBufUtil.getBytes(response.content()),
                                            headers.get("content-encoding")),
                                    StandardCharsets.UTF_8)));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }
}
