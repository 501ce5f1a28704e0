package dev.ovation.job;

/** Another worker holds the job, or it was cancelled; the transaction of the step rolls back. */
public final class JobLeaseLostException extends RuntimeException {

    JobLeaseLostException(long job) {
        super("job " + job + " is not held any more", null, false, false);
    }
}
