package dev.ovation.reaction;

/**
 * What tells a retry from another request.
 *
 * @param value as the client sent it: 1 to 255 visible ASCII characters
 * @param requestHash SHA-256, in hex, of what the client asks for: kind, ids, force and if_exists,
 *     but not the wished form of the answer
 */
record IdempotencyKey(String value, String requestHash) {}
