package dev.ovation.command;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The commands of the program besides the service, by its first argument. */
public final class CommandLine {

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private static final String USAGE =
            """
            import --kind=KIND [--namespace=ID] [--again] [--url=URL] FILE
            compare --kind=reactions [--namespace=ID] [--url=URL] FILE
            export --kind=KIND [--namespace=ID] [--user=ID] [--ndjson] [--url=URL] [FILE]
            key --id=ID --scopes=SCOPE,… [--namespaces=ID,…] [--expires=DATE]
            configure [--dry-run] [--accept-loss] [--url=URL] FOLDER
            health [--url=URL]
            migrate

            KIND   reactions, users, friends; of an import also pcc-users, pcc-friends, pcc-likes
            FILE   .csv or .ndjson, of an import also .gz behind that; - is the standard input,
                   read as CSV; without one an export is written to the standard output
            --url    of a service that runs; else OVATION_URL, else http://localhost and PORT (8080)
                   imports, comparisons, exports and configure send the API key or token in OVATION_KEY,
                   if there is one
            --again  a file that was imported before is looked at anew
            compare  changes nothing and lists the reactions that the file or the service alone has;
                     the exit status is 1 if there are any
            configure  applies reactions.yaml, reaction_sets.yaml and namespaces.yaml of a folder
            health   asks /readyz; the status is 0 if the service can answer reads
            migrate  migrates the schema of the Postgres that the settings of the service name
            """;

    private CommandLine() {}

    /**
     * Runs the command that the arguments name.
     *
     * @return the exit status; empty when the arguments name no command
     */
    public static OptionalInt run(String... arguments) {
        return run(System.out, System.err, arguments);
    }

    static OptionalInt run(PrintStream out, PrintStream err, String... arguments) {
        String name = arguments.length == 0 ? "" : arguments[0];
        List<String> rest =
                Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        try {
            return switch (name) {
                case "import" ->
                        OptionalInt.of(
                                new ImportCommand(new Arguments(rest), false, out, err).run());
                case "compare" ->
                        OptionalInt.of(
                                new ImportCommand(new Arguments(rest), true, out, err).run());
                case "export" ->
                        OptionalInt.of(new ExportCommand(new Arguments(rest), out, err).run());
                case "key" -> OptionalInt.of(new KeyCommand(new Arguments(rest), out, err).run());
                case "configure" ->
                        OptionalInt.of(new ConfigureCommand(new Arguments(rest), out, err).run());
                case "health" ->
                        OptionalInt.of(new HealthCommand(new Arguments(rest), out, err).run());
                case "migrate" -> OptionalInt.of(new MigrateCommand(rest).run());
                default -> OptionalInt.empty();
            };
        } catch (Arguments.MisuseException e) {
            err.println(e.getMessage());
            err.print(USAGE);
            return OptionalInt.of(MISUSED);
        }
    }
}
