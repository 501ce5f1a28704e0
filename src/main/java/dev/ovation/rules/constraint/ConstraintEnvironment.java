package dev.ovation.rules.constraint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The variables of constraints, as types of CEL. */
final class ConstraintEnvironment {

    /** Greatest number of characters of an expression. */
    static final int MOST_CHARACTERS = 1_000;

    private static final int MOST_NESTING = 40;
    private static final int MOST_NODES = 400;

    private static final CelType TEXTS = ListType.create(SimpleType.STRING);

    private static final StructType USER =
            struct(
                    "user",
                    Map.of(
                            "id", SimpleType.STRING,
                            "reactions", TEXTS,
                            "last_reacted_at", SimpleType.TIMESTAMP));

    private static final StructType ENTITY =
            struct(
                    "entity",
                    Map.of(
                            "id", SimpleType.STRING,
                            "counts", MapType.create(SimpleType.STRING, SimpleType.INT),
                            "kinds", SimpleType.INT,
                            "total", SimpleType.INT,
                            "first_reacted_at", SimpleType.TIMESTAMP,
                            "last_reacted_at", SimpleType.TIMESTAMP));

    /**
     * Functions that {@link Operators} translates, and those of the macros. CEL declares the
     * functions anew for each expression, which takes most of a compilation if all of them are
     * declared.
     */
    private static final CelStandardDeclarations FUNCTIONS =
            CelStandardDeclarations.newBuilder()
                    .includeFunctions(
                            StandardFunction.LOGICAL_AND,
                            StandardFunction.LOGICAL_OR,
                            StandardFunction.LOGICAL_NOT,
                            StandardFunction.CONDITIONAL,
                            StandardFunction.EQUALS,
                            StandardFunction.NOT_EQUALS,
                            StandardFunction.LESS,
                            StandardFunction.LESS_EQUALS,
                            StandardFunction.GREATER,
                            StandardFunction.GREATER_EQUALS,
                            StandardFunction.ADD,
                            StandardFunction.SUBTRACT,
                            StandardFunction.MULTIPLY,
                            StandardFunction.DIVIDE,
                            StandardFunction.MODULO,
                            StandardFunction.NEGATE,
                            StandardFunction.IN,
                            StandardFunction.INDEX,
                            StandardFunction.SIZE,
                            StandardFunction.STARTS_WITH,
                            StandardFunction.ENDS_WITH,
                            StandardFunction.CONTAINS,
                            StandardFunction.TIMESTAMP,
                            StandardFunction.DURATION,
                            StandardFunction.NOT_STRICTLY_FALSE)
                    .build();

    private ConstraintEnvironment() {}

    static CelCompiler compiler(Map<String, AttributeType> attributes) {
        var fields = new TreeMap<String, CelType>();
        attributes.forEach((name, type) -> fields.put(name, type.celType()));
        StructType declared = struct("attributes", fields);
        return CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(
                        CelOptions.current()
                                .maxExpressionCodePointSize(MOST_CHARACTERS)
                                .maxParseRecursionDepth(MOST_NESTING)
                                .maxParseExpressionNodeCount(MOST_NODES)
                                .build())
                .setStandardEnvironmentEnabled(false)
                .setStandardDeclarations(FUNCTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .setTypeProvider(new Structs(ImmutableList.of(USER, ENTITY, declared)))
                .addVar("op", SimpleType.STRING)
                .addVar("added", TEXTS)
                .addVar("removed", TEXTS)
                .addVar("user", USER)
                .addVar("entity", ENTITY)
                .addVar("now", SimpleType.TIMESTAMP)
                .addVar("attributes", declared)
                .setResultType(SimpleType.BOOL)
                .build();
    }

    private static StructType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> types = ImmutableMap.copyOf(fields);
        return StructType.create(
                "ovation." + name, types.keySet(), field -> Optional.ofNullable(types.get(field)));
    }

    private record Structs(ImmutableList<StructType> structs) implements CelTypeProvider {

        @Override
        public ImmutableList<CelType> types() {
            return ImmutableList.copyOf(structs);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return structs.stream()
                    .filter(struct -> struct.name().equals(name))
                    .<CelType>map(struct -> struct)
                    .findFirst();
        }
    }
}
