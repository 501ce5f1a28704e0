/** Authentication of every request, scope checks, and the audit trail. */
@NullMarked
package dev.ovation.gate;

import org.jspecify.annotations.NullMarked;
