package dev.ovation.limit;

/**
 * Bounds on the files that one caller transfers at the same time.
 *
 * @param imports files that arrive
 * @param exports files that leave
 */
public record TransferBulkheads(CallerBulkhead imports, CallerBulkhead exports) {}
