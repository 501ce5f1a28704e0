package dev.ovation.model;

/** What answers commands: the reference model, or the real service. */
interface Service {

    Reply send(Command command);
}
