package dev.ovation.testing.report;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Copies each line of the standard output to {@link Recent#OUTPUT} and passes it on. */
final class OutputTee extends OutputStream {

    private final PrintStream next;
    private final ThreadLocal<ByteArrayOutputStream> line =
            ThreadLocal.withInitial(ByteArrayOutputStream::new);

    private OutputTee(PrintStream next) {
        this.next = next;
    }

    /** Replaces the standard output of this JVM. */
    static void install() {
        var tee = new OutputTee(System.out);
        System.setOut(new PrintStream(tee, true, StandardCharsets.UTF_8));
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Collects lines for each thread, so that lines of two threads do not mix. */
    @Override
    public void write(byte[] bytes, int from, int length) {
        next.write(bytes, from, length);
        ByteArrayOutputStream collected = line.get();
        for (int i = from; i < from + length; i++) {
            if (bytes[i] == '\n') {
                Recent.OUTPUT.add(collected.toString(StandardCharsets.UTF_8));
                collected.reset();
            } else if (bytes[i] != '\r') {
                collected.write(bytes[i]);
            }
        }
    }

    @Override
    public void flush() {
        next.flush();
    }
}
