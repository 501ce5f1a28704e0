package dev.ovation.job;

/** Somebody else has taken up the job, or it was cancelled: what was about to be done is undone. */
public final class JobLeaseLostException extends RuntimeException {

    JobLeaseLostException(long job) {
        super("job " + job + " is not held any more", null, false, false);
    }
}
