package dev.ovation.rules.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.ovation.testing.Beside;
import dev.ovation.testing.RedisProcess;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Programs in a real Redis agree with the evaluator of the CEL library. */
@Beside
class ConstraintTranslationTest {

    private static final int EXPRESSIONS = 3_000;
    private static final int STATES = 6;

    private static final RedisProcess SERVER = RedisProcess.start("--appendonly", "no");
    private static final RedisCommands<String, String> REDIS =
            RedisClient.create(SERVER.uri()).connect().sync();

    /** Judges each state by each program; ARGV[1] is the number of programs. */
    private static final String JUDGE =
            """
            local answers = {}
            local programs = tonumber(ARGV[1])
            for i = programs + 2, #ARGV, 10 do
              local change = {
                op = ARGV[i], now = tonumber(ARGV[i + 1]), ['user.id'] = ARGV[i + 2], ['entity.id'] = ARGV[i + 3],
                added = split(ARGV[i + 4]), removed = split(ARGV[i + 5]), ['user.reactions'] = split(ARGV[i + 6]),
                ['user.last_reacted_at'] = tonumber(ARGV[i + 7]), attributes = ARGV[i + 8],
                counters = function()
                  local fields = {}
                  for field in string.gmatch(ARGV[i + 9], '[^' .. PART .. ']+') do
                    fields[#fields + 1] = field
                  end
                  return fields
                end
              }
              for p = 2, programs + 1 do
                answers[#answers + 1] = refusing_constraint(ARGV[p], change) and '0' or '1'
              end
            end
            return table.concat(answers)
            """;

    private static final String SHA =
            REDIS.scriptLoad(resource("prelude") + resource("constraints") + JUDGE);

    private static final CelRuntime CEL = CelRuntimeFactory.standardCelRuntimeBuilder().build();

    private final ConstraintCompiler compiler =
            new ConstraintCompiler(ConstraintState.DECLARED, text -> text);

    private static String resource(String name) {
        String file = "/dev/ovation/hot/script/" + name + ".lua";
        try (InputStream in = ConstraintTranslationTest.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8) + "\n";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The expression and its negation separate true, false and an error. */
    @Test
    void agreesWithCelOnEachRandomExpressionAndState() throws Exception {
        int compared = 0;
        int[] seen = new int[3];
        for (int seed = 1; compared < EXPRESSIONS; seed++) {
            var random = new Random(seed);
            String expression = new RandomExpression(random).next();
            List<String> programs;
            try {
                programs = programs(expression);
            } catch (ConstraintException e) {
                continue;
            }
            compared++;
            var states = new ArrayList<ConstraintState>();
            for (int i = 0; i < STATES; i++) {
                states.add(ConstraintState.random(random));
            }
            String answers = judge(programs, states);
            var original = CEL.createProgram(compiler.checked(expression));
            for (int i = 0; i < STATES; i++) {
                String expected = evaluated(original, states.get(i));
                assertThat(answers.substring(2 * i, 2 * i + 2))
                        .as("%s on %s", expression, states.get(i))
                        .isEqualTo(expected);
                seen[expected.equals("10") ? 0 : expected.equals("01") ? 1 : 2]++;
            }
        }
        assertThat(seen[0]).as("true").isGreaterThan(EXPRESSIONS / 2);
        assertThat(seen[1]).as("false").isGreaterThan(EXPRESSIONS / 2);
        assertThat(seen[2]).as("error").isGreaterThan(EXPRESSIONS / 2);
    }

    /** Each list has more elements than the translator reckons with. */
    @Test
    void anEvaluationWithTooManyStepsRefuses() throws Exception {
        String program = compiler.compile("entity.counts.all(k, k != 'x')").program();

        assertThat(judge(List.of(program), List.of(kinds(1_000), kinds(6_000)))).isEqualTo("10");
    }

    private static ConstraintState kinds(int number) {
        var counts = new HashMap<String, Long>();
        for (int i = 0; i < number; i++) {
            counts.put("k" + i, 1L);
        }
        return new ConstraintState(
                "add", 9, "u", "e", List.of("a"), List.of(), List.of(), null, counts, 5, Map.of());
    }

    @Test
    void takingBackIsJudgedOnlyWhereTheExpressionMentionsIt() throws Exception {
        var back =
                new ConstraintState(
                        "remove",
                        9,
                        "u",
                        "e",
                        List.of(),
                        List.of("a"),
                        List.of("a"),
                        null,
                        Map.of("a", 1L),
                        5,
                        Map.of());
        List<String> programs =
                List.of(
                        compiler.compile("false").program(),
                        compiler.compile("op == 'add'").program(),
                        compiler.compile("size(removed) == 0").program());

        assertThat(judge(programs, List.of(back))).isEqualTo("100");
    }

    /** A literal may have any spelling of a reaction. */
    @Test
    void literalsThatAreComparedWithReactionsBecomeKeys() throws Exception {
        var keys =
                new ConstraintCompiler(
                        ConstraintState.DECLARED, text -> text.replace("\uFE0F", ""));
        for (String expression :
                List.of(
                        "'❤\uFE0F' in added",
                        "added == ['❤\uFE0F']",
                        "added.exists(r, r in ['x', '❤\uFE0F'])",
                        "entity.counts['❤\uFE0F'] == 1")) {
            CompiledConstraint compiled = keys.compile(expression);
            assertThat(compiled.program()).contains("s❤").doesNotContain("\uFE0F");
            assertThat(compiled.reactions()).contains("❤");
        }
        assertThat(keys.compile("user.id == '❤\uFE0F'").program()).contains("\uFE0F");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // not CEL, not boolean, unknown names
                "size(added) <",
                "size(added)",
                "users.id == 'a'",
                "attributes.height > 3",
                "user.name == 'a'",
                "added.exists(r, s == 'a')",
                // quadratic and worse
                "added.all(r, r in user.reactions)",
                "entity.counts.all(a, entity.counts.all(b, a != b))",
                "added.all(a, removed.all(b, user.reactions.all(c, a != b && b != c)))",
                // numbers beyond 2^53, doubles
                "attributes.age * attributes.age > 0",
                "9007199254740992 > attributes.age",
                "attributes.age * 9007199254740991 > 0",
                "now - duration('1000000h') - duration('1000000h') - duration('1000000h') < now",
                "1.5 > 1.0",
                "attributes.age > 1u",
                // expressions without a translation
                "attributes.country.matches('(a+)+$')",
                "'a' < 'b'",
                "attributes.country + 'x' == 'y'",
                "added + removed == []",
                "added.map(r, r + 'x') == []",
                "{'a': 1} == {}",
                "user == user",
                "has(user.last_reacted_at)",
                "timestamp(attributes.country) < now",
                "timestamp('2300-01-01T00:00:00Z') > now",
                "duration('1ns') > now - now",
                "int(attributes.country) > 1",
                "now.getHours() > 3",
                "type(op) == string",
                "dyn(op) == 3",
                "attributes.country in added",
                "[[1]] == [[1]]",
                "b'a' == b'a'"
            })
    void whatCannotBeTranslatedIsRefused(String expression) {
        assertThatThrownBy(() -> compiler.compile(expression))
                .isInstanceOf(ConstraintException.class);
    }

    @Test
    void anExpressionIsCheckedForTheTypesOfItsAttributes() throws Exception {
        String expression = "attributes.size > 3";
        var numbers = new ConstraintCompiler(Map.of("size", AttributeType.INT), text -> text);
        var texts = new ConstraintCompiler(Map.of("size", AttributeType.STRING), text -> text);
        var none = new ConstraintCompiler(Map.of(), text -> text);

        String program = numbers.compile(expression).program();
        assertThat(numbers.compile(expression).program()).isEqualTo(program);
        for (ConstraintCompiler other : List.of(texts, none)) {
            assertThatThrownBy(() -> other.compile(expression))
                    .isInstanceOf(ConstraintException.class);
        }
    }

    @Test
    void hostileExpressionsAreRefused() {
        for (String expression :
                List.of(
                        "(".repeat(400) + "true" + ")".repeat(400),
                        "!(".repeat(100) + "true" + ")".repeat(100),
                        "[".repeat(300) + "]".repeat(300) + " == []",
                        "true" + " && true".repeat(200),
                        "1" + " + 1".repeat(60) + " > 0",
                        "'" + "x".repeat(2_000) + "' == op",
                        "op == '\\u001f'",
                        "op == '\\u001e'",
                        "op == '\\ud800'")) {
            assertThatThrownBy(() -> compiler.compile(expression))
                    .as(expression.substring(0, Math.min(40, expression.length())))
                    .isInstanceOf(ConstraintException.class);
        }
    }

    /** Text that would be code or a separator elsewhere. */
    @Test
    void textsStayTexts() throws Exception {
        String odd = "\"]] .. os.exit() .. [[ %d \\ ' -- \n".strip();
        String literal = odd.replace("\\", "\\\\").replace("'", "\\'");
        var state =
                new ConstraintState(
                        "add",
                        9,
                        odd,
                        "e",
                        List.of("a"),
                        List.of(),
                        List.of(),
                        null,
                        Map.of(),
                        5,
                        Map.of("country", odd));
        List<String> programs =
                List.of(
                        compiler.compile("user.id == '" + literal + "'").program(),
                        compiler.compile("attributes.country == user.id").program());

        assertThat(judge(programs, List.of(state))).isEqualTo("11");
    }

    private List<String> programs(String expression) throws ConstraintException {
        return List.of(
                always(compiler.compile(expression).program()),
                always(compiler.compile("!(" + expression + ")").program()));
    }

    private static String always(String program) {
        return "r" + program.substring(1);
    }

    private static String judge(List<String> programs, List<ConstraintState> states) {
        var arguments = new ArrayList<String>();
        arguments.add(Integer.toString(programs.size()));
        arguments.addAll(programs);
        states.forEach(state -> arguments.addAll(state.arguments()));
        return REDIS.evalsha(
                SHA, ScriptOutputType.VALUE, new String[0], arguments.toArray(String[]::new));
    }

    private static String evaluated(CelRuntime.Program program, ConstraintState state) {
        try {
            return Boolean.TRUE.equals(program.eval(state.variables())) ? "10" : "01";
        } catch (CelEvaluationException e) {
            return "00";
        }
    }
}
