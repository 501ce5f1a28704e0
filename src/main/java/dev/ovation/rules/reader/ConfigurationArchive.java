package dev.ovation.rules.reader;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Finds the three files in a gzip tar (POSIX.1-1988 headers, which every tar writes for names as
 * short as these). It writes no file, so no path in the archive can do harm.
 */
final class ConfigurationArchive {

    private static final int BLOCK = 512;
    private static final int MAX_ENTRIES = 100;
    private static final int MAX_TOTAL_BYTES = 4 * Documents.MAX_BYTES;

    private final InputStream in;
    private final ViolationCollector problems;
    private final String file;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private int entries;
    private int total;

    private ConfigurationArchive(InputStream in, String file, ViolationCollector problems) {
        this.in = in;
        this.file = file;
        this.problems = problems;
    }

    /** Returns the files by name, in a fixed order; errors are recorded as violations. */
    static Map<String, byte[]> files(String file, byte[] gzip, ViolationCollector problems) {
        Map<String, byte[]> found;
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
            ConfigurationArchive archive = new ConfigurationArchive(in, file, problems);
            archive.read();
            found = archive.files;
        } catch (IOException e) {
            String why = e.getMessage() == null ? "it ends too early" : e.getMessage();
            problems.add(file, 0, "is not a gzip tar archive: " + why);
            return Map.of();
        }
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (String name : Documents.FILES) {
            byte[] bytes = found.get(name);
            if (bytes == null) {
                problems.add(name, 0, "is missing in the archive");
            } else {
                files.put(name, bytes);
            }
        }
        return files;
    }

    private void read() throws IOException {
        for (byte[] header = in.readNBytes(BLOCK); !isEnd(header); header = in.readNBytes(BLOCK)) {
            checkSum(header);
            long size = octal(header, 124, 12);
            char type = (char) header[156];
            if (++entries > MAX_ENTRIES) {
                throw new IOException("more than " + MAX_ENTRIES + " entries");
            }
            byte[] content = content(size);
            // Directories, and headers that extend the next one (pax, GNU long names).
            if ("5xgLK".indexOf(type) < 0) {
                entry(text(header), type == '0' || type == 0, content);
            }
        }
    }

    private void entry(String path, boolean regular, byte[] content) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (name.startsWith("._")) {
            return; // A file that macOS adds beside each file.
        }
        String known =
                Documents.FILES.stream()
                        .filter(f -> f.equals(name) || f.replace("s.yaml", ".yaml").equals(name))
                        .findFirst()
                        .orElse(null);
        if (known == null) {
            problems.add(file, 0, "holds the unknown file " + DocumentValue.quote(path));
        } else if (!regular) {
            problems.add(file, 0, DocumentValue.quote(path) + " is not a regular file");
        } else if (files.putIfAbsent(known, content) != null) {
            problems.add(file, 0, "holds " + known + " twice");
        }
    }

    private byte[] content(long size) throws IOException {
        if (size > MAX_TOTAL_BYTES - total) {
            throw new IOException("more than " + MAX_TOTAL_BYTES + " bytes");
        }
        total += (int) size;
        byte[] content = exactly((int) size);
        exactly((int) (-size & (BLOCK - 1)));
        return content;
    }

    private static boolean isEnd(byte[] header) throws EOFException {
        if (header.length != 0 && header.length < BLOCK) {
            throw new EOFException("it ends within a header");
        }
        return header.length == 0 || header[0] == 0;
    }

    private byte[] exactly(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("it ends too early");
        }
        return bytes;
    }

    private static void checkSum(byte[] header) throws IOException {
        long stated = octal(header, 148, 8);
        byte[] counted = header.clone();
        Arrays.fill(counted, 148, 156, (byte) ' ');
        long sum = 0;
        for (byte b : counted) {
            sum += b & 0xFF;
        }
        if (sum != stated) {
            throw new IOException("a header's checksum is wrong");
        }
    }

    private static long octal(byte[] header, int offset, int length) throws IOException {
        String digits =
                new String(header, offset, length, StandardCharsets.ISO_8859_1)
                        .replace('\0', ' ')
                        .trim();
        if (!digits.matches("[0-7]{1,12}")) {
            throw new IOException("a header's number is wrong");
        }
        return Long.parseLong(digits, 8);
    }

    private static String text(byte[] header) {
        String name = new String(header, 0, 100, StandardCharsets.UTF_8);
        int end = name.indexOf('\0');
        return end < 0 ? name : name.substring(0, end);
    }
}
