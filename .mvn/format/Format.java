import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The format gate: {@code check} fails on a source file that google-java-format (AOSP style) would
 * change, {@code apply} rewrites it. Run by the build on the JDK it selected, because a formatter in
 * Maven's own JVM could not parse newer Java than that JVM.
 */
void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    var formatter = new Formatter(JavaFormatterOptions.builder().style(Style.AOSP).build());
    List<Path> files;
    try (Stream<Path> walk = Files.walk(Path.of("src"))) {
        files = walk.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    long changed = files.parallelStream().filter(file -> differs(file, formatter, apply)).count();
    if (changed > 0 && !apply) {
        IO.println("Run ./mvnw -Pformat validate, which formats them.");
        System.exit(1);
    }
}

/** Whether the formatter changes a file, which it does only with {@code apply}. */
boolean differs(Path file, Formatter formatter, boolean apply) {
    try {
        String before = Files.readString(file);
        String imports = RemoveUnusedImports.removeUnusedImports(before);
        String after = formatter.formatSource(ImportOrderer.reorderImports(imports, Style.AOSP));
        if (after.equals(before)) {
            return false;
        }
        IO.println((apply ? "formatted " : "not formatted: ") + file);
        if (apply) {
            Files.writeString(file, after);
        }
        return true;
    } catch (IOException | FormatterException e) {
        throw new IllegalStateException(file + " cannot be formatted", e);
    }
}
