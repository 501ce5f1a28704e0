package dev.ovation.web;

import java.util.List;

/** A controller some of whose methods are hot. */
public interface DirectController {

    List<DirectRoute> hotRoutes();
}
