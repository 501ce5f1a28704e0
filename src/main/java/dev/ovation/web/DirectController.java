package dev.ovation.web;

import java.util.List;

/** Controller with direct routes. */
public interface DirectController {

    List<DirectRoute> hotRoutes();
}
