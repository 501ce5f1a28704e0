/** The API of the Performance Challenge Championship, by its text: likes of objects by users. */
@NullMarked
package dev.ovation.pcc;

import org.jspecify.annotations.NullMarked;
