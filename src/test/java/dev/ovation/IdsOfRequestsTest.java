package dev.ovation;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;

import dev.ovation.access.Principal;
import dev.ovation.testing.Beside;
import dev.ovation.web.request.IdFields;

import jakarta.servlet.ServletRequest;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.Set;
import java.util.TreeSet;

/**
 * Users and namespaces are read from a request only with the check that the caller may name them.
 */
@Beside
class IdsOfRequestsTest {

    private static final String ROOT = "dev.ovation";
    private static final Set<String> IDS = Set.of("user_id", "viewer_id", "namespace_id");
    private static final ClassDesc FIELDS = IdFields.class.describeConstable().orElseThrow();
    private static final String CHECK = Principal.class.descriptorString();

    /**
     * One package reads rows of an imported file, for which the caller has {@code transfer}; the
     * other is a client.
     */
    private static final Set<String> OTHERS = Set.of(ROOT + ".transfer.file", ROOT + ".command");

    private static final JavaClasses CLASSES = ModularityTest.CLASSES;

    /** No method reads more ids than it passes to {@link IdFields} together with the caller. */
    @Test
    void idsAreReadTogetherWithTheCheckOfTheCaller() throws IOException {
        var unchecked = new TreeSet<String>();
        for (JavaClass type : CLASSES) {
            if (!OTHERS.contains(type.getPackageName())) {
                addUnchecked(type.getName(), unchecked);
            }
        }

        assertThat(unchecked)
                .containsExactlyInAnyOrder(
                        // Operations with scopes for all namespaces, whose holders may name any
                        // user.
                        "dev.ovation.audit.AuditEndpoint.order",
                        "dev.ovation.transfer.ExportController.order",
                        // The method only logs the namespace.
                        "dev.ovation.gate.AuditTrail.end");
    }

    @Test
    void requestsAreReadByOurReadersAlone() {
        noClasses()
                .should()
                .callMethodWhere(
                        target(nameMatching("getParameter.*"))
                                .and(target(owner(assignableTo(ServletRequest.class)))))
                .check(CLASSES);
        assertThat(
                        CLASSES.stream()
                                .flatMap(type -> type.getMethods().stream())
                                .flatMap(method -> method.getParameters().stream())
                                .flatMap(parameter -> parameter.getAnnotations().stream())
                                .map(annotation -> annotation.getRawType().getName()))
                .noneMatch(name -> name.startsWith("org.springframework.web.bind.annotation."));
    }

    private static void addUnchecked(String type, Set<String> unchecked) throws IOException {
        String file = "/" + type.replace('.', '/') + ".class";
        try (InputStream in = IdsOfRequestsTest.class.getResourceAsStream(file)) {
            for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
                if (isUnchecked(method)) {
                    unchecked.add(type + "." + method.methodName().stringValue());
                }
            }
        }
    }

    /** No other call is between the name of an id and the call that reads it. */
    private static boolean isUnchecked(MethodModel method) {
        CodeModel code = method.code().orElse(null);
        if (code == null) {
            return false;
        }
        int read = 0;
        int checked = 0;
        boolean named = false;
        for (CodeElement element : code) {
            if (element instanceof ConstantInstruction constant) {
                named |= constant.constantValue() instanceof String text && IDS.contains(text);
            } else if (element instanceof InvokeInstruction call) {
                if (call.owner().asSymbol().equals(FIELDS)) {
                    checked += call.type().stringValue().contains(CHECK) ? 1 : 0;
                } else if (named && reads(call)) {
                    read++;
                }
                named = false;
            }
        }
        return read > checked;
    }

    /** Whether the call is a method of the product from a text to a text. */
    private static boolean reads(InvokeInstruction call) {
        return call.owner().asInternalName().startsWith("dev/ovation/")
                && call.typeSymbol().parameterList().contains(ConstantDescs.CD_String)
                && call.typeSymbol().returnType().equals(ConstantDescs.CD_String);
    }
}
