package dev.ovation.outbox.relay;

import dev.ovation.hot.script.AckScript;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.watermark.Watermarks;

/** The decisions of {@link AckSender}, for models outside its package. */
public final class Acknowledgements {

    private Acknowledgements() {}

    /** Returns the acknowledgement of one committed result. */
    public static AckScript.AckItem of(
            RelayTransaction.PartitionResult result, Watermarks watermarks) {
        return new Committed(result, AckEntries.rejected(result, watermarks)).item();
    }
}
