package dev.ovation.web.guard;

import dev.ovation.access.Scope;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Rate limiter without limits, for tests of single modules. */
public final class Unlimited implements RateLimiter {

    @Override
    public void charge(HttpServletRequest request, HttpServletResponse response, Scope scope) {}

    @Override
    public void attempt(String address) {}

    @Override
    public void takeBack(String address) {}
}
