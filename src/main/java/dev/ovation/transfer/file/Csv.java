package dev.ovation.transfer.file;

import java.util.ArrayList;
import java.util.List;

/**
 * Records of CSV (RFC 4180), except that a record is a line: no field may hold a line break, so an
 * unclosed quote invalidates one line and not all that follow.
 */
final class Csv {

    private Csv() {}

    /**
     * Returns the fields of a line.
     *
     * @throws BadRowException when its quotes are invalid
     */
    static List<String> split(String line) throws BadRowException {
        var fields = new ArrayList<String>();
        int at = 0;
        while (true) {
            boolean quoted = at < line.length() && line.charAt(at) == '"';
            int comma = quoted ? closing(line, at) + 1 : line.indexOf(',', at);
            int end = comma < 0 ? line.length() : comma;
            String field = line.substring(at, end);
            boolean isLast = end == line.length();
            if ((!isLast && line.charAt(end) != ',') || (!quoted && field.indexOf('"') >= 0)) {
                throw new BadRowException("has a quote in the middle of a field");
            }
            fields.add(
                    quoted ? field.substring(1, field.length() - 1).replace("\"\"", "\"") : field);
            if (isLast) {
                return fields;
            }
            at = end + 1;
        }
    }

    /** Returns the place of the quote that closes the quote at {@code open}. */
    private static int closing(String line, int open) throws BadRowException {
        int at = open + 1;
        while (true) {
            int quote = line.indexOf('"', at);
            if (quote < 0) {
                throw new BadRowException("has a quote that nothing closes");
            }
            if (quote + 1 == line.length() || line.charAt(quote + 1) != '"') {
                return quote;
            }
            at = quote + 2;
        }
    }

    /** Returns a line of these fields, without its line end. */
    static String join(List<String> fields) {
        var line = new StringBuilder();
        for (String field : fields) {
            line.append(line.isEmpty() ? "" : ",");
            if (field.isEmpty() || field.indexOf(',') >= 0 || field.indexOf('"') >= 0) {
                line.append('"').append(field.replace("\"", "\"\"")).append('"');
            } else {
                line.append(field);
            }
        }
        return line.toString();
    }
}
