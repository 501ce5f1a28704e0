/** The gRPC interface: the calls of {@code dev.ovation.v1.Reactions} on a port of their own. */
@NullMarked
package dev.ovation.grpc;

import org.jspecify.annotations.NullMarked;
