package dev.ovation.model;

/** Executes commands: the reference model, or the real service. */
interface Service {

    Reply send(Command command);
}
