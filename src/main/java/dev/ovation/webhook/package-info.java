/** Webhooks: sends committed changes to other systems, as signed CloudEvents. */
@NullMarked
package dev.ovation.webhook;

import org.jspecify.annotations.NullMarked;
