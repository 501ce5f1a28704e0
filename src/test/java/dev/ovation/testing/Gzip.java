package dev.ovation.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Gzip files of one member. */
public final class Gzip {

    private Gzip() {}

    public static byte[] zipped(String text) {
        return zipped(text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] zipped(byte[] body) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
