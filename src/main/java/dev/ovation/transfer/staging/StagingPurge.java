package dev.ovation.transfer.staging;

import dev.ovation.background.BackgroundWork;
import dev.ovation.background.Turn;

import java.time.Duration;

/** Purges the staged rows of completed imports, in small steps. */
public class StagingPurge implements BackgroundWork {

    private final StagingTable rows;

    public StagingPurge(StagingTable rows) {
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
