/** One signed request to a URL that a client named: addresses, connection, signature. */
@NullMarked
package dev.ovation.webhook.send;

import org.jspecify.annotations.NullMarked;
