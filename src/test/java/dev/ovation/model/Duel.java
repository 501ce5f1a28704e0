package dev.ovation.model;

import dev.ovation.model.ReferenceModel.EntityId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Sends the same commands to the model and to a service, until their answers differ. */
final class Duel {

    private final ReferenceModel model;
    private final Service service;
    final Bindings bindings = new Bindings();

    Duel(ReferenceModel model, Service service) {
        this.model = model;
        this.service = service;
    }

    /** A difference, and the step at which it occurred. */
    record Fault(int step, String what) {}

    /** Returns the first difference; null if there is none. */
    @Nullable Fault fight(List<Command> commands) {
        for (int i = 0; i < commands.size(); i++) {
            String what = fault(commands.get(i));
            if (what != null) {
                return new Fault(i, what);
            }
        }
        return null;
    }

    private @Nullable String fault(Command command) {
        Reply expected = model.send(command);
        Reply actual;
        try {
            actual = service.send(command);
        } catch (RuntimeException | AssertionError e) {
            return "expected %s%nbut got  %s".formatted(expected, e);
        }
        String fault = bindings.compare(entity(command), expected, actual);
        return fault == null
                ? null
                : "%s:%nexpected %s%nbut got  %s".formatted(fault, expected, actual);
    }

    private static EntityId entity(Command command) {
        return switch (command) {
            case Command.Write write -> new EntityId(write.namespace(), write.entity());
            case Command.Put put -> new EntityId(put.namespace(), put.entity());
            case Command.Read read -> new EntityId(read.namespace(), read.entity());
            case Command.Batch _, Command.Refresh _, Command.Disturbance _ -> new EntityId("", "");
        };
    }
}
