package dev.ovation.transfer;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;

import java.time.Duration;

/** Deletes the rows of imports that came to their end, a little at a time. */
class ImportKeeper implements BackgroundWork {

    private final ImportRows rows;

    ImportKeeper(ImportRows rows) {
        this.rows = rows;
    }

    @Override
    public String name() {
        return "old-imports";
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(5);
    }

    @Override
    public StepResult step(Turn turn) {
        return rows.deleteSome() ? StepResult.MORE : StepResult.DONE;
    }
}
