package dev.ovation.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
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

    /** The content of a gzip file. */
    public static byte[] unzipped(byte[] file) {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The content of a body with this Content-Encoding; null for none. */
    public static byte[] decoded(byte[] body, String encoding) {
        return "gzip".equals(encoding) && body.length > 0 ? unzipped(body) : body;
    }
}
