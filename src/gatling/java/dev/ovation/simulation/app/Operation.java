package dev.ovation.simulation.app;

/** The kinds of requests. */
public enum Operation {
    GET("GET"),
    QUERY("POST"),
    POST("POST"),
    DELETE("DELETE");

    private final String method;

    Operation(String method) {
        this.method = method;
    }

    /** The HTTP method; {@code QUERY} is {@code POST /reactions/query}. */
    public String method() {
        return method;
    }
}
