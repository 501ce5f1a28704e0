package dev.ovation.rules.constraint;

import java.math.BigInteger;

/**
 * Least and greatest value of a number, known before its evaluation. Lua computes with doubles,
 * which hold whole numbers up to 2^53 exactly; so an expression that may exceed it is refused, and
 * CEL and Lua agree on all others.
 */
record Span(BigInteger least, BigInteger greatest) {

    private static final BigInteger EXACT = BigInteger.TWO.pow(53).subtract(BigInteger.ONE);

    static final Span NONE = of(0, 0);

    static Span of(long least, long greatest) {
        return new Span(BigInteger.valueOf(least), BigInteger.valueOf(greatest));
    }

    Span plus(Span other) throws ConstraintException {
        return checked(least.add(other.least), greatest.add(other.greatest));
    }

    Span minus(Span other) throws ConstraintException {
        return checked(least.subtract(other.greatest), greatest.subtract(other.least));
    }

    Span times(Span other) throws ConstraintException {
        var products =
                new BigInteger[] {
                    least.multiply(other.least),
                    least.multiply(other.greatest),
                    greatest.multiply(other.least),
                    greatest.multiply(other.greatest)
                };
        var from = products[0];
        var to = products[0];
        for (BigInteger product : products) {
            from = from.min(product);
            to = to.max(product);
        }
        return checked(from, to);
    }

    /** Returns the span of all values whose distance from 0 is not greater. */
    Span around() {
        BigInteger most = least.abs().max(greatest.abs());
        return new Span(most.negate(), most);
    }

    Span with(Span other) {
        return new Span(least.min(other.least), greatest.max(other.greatest));
    }

    private static Span checked(BigInteger from, BigInteger to) throws ConstraintException {
        return new Span(from, to).checked();
    }

    /** Returns this span, whose values must be exact. */
    Span checked() throws ConstraintException {
        if (least.negate().max(greatest).compareTo(EXACT) > 0) {
            throw new ConstraintException("has a number that may exceed 2^53");
        }
        return this;
    }
}
