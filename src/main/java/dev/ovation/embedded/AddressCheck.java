package dev.ovation.embedded;

import dev.ovation.embedded.server.BackingService;
import dev.ovation.embedded.server.EmbeddedException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ends the start, before any bean is created, when a server has no address and cannot be embedded.
 */
class AddressCheck implements BeanFactoryPostProcessor {

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private final Environment environment;

    AddressCheck(Environment environment) {
        this.environment = environment;
    }

    /**
     * Throws an {@link EmbeddedException} naming every server that has no address and cannot be
     * embedded.
     */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        List<BackingService> open =
                Arrays.stream(BackingService.values())
                        .filter(service -> !service.hasAddress(environment))
                        .toList();
        refuse(
                "This jar brings neither Postgres nor Redis, and has no address of ",
                open.stream()
                        .filter(service -> !service.isEmbeddable(beanFactory.getBeanClassLoader()))
                        .toList());
        if (!isSupported(System.getProperty("os.name"), System.getProperty("os.arch"))) {
            refuse("For " + machine() + " there is no embedded ", open);
        }
    }

    /** Returns whether Maven Central has both servers for this machine. */
    static boolean isSupported(String os, String architecture) {
        return (os.equals("Linux") || os.startsWith("Mac")) && ARCHITECTURES.contains(architecture);
    }

    private static String machine() {
        return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
    }

    private static void refuse(String why, List<BackingService> services) {
        if (!services.isEmpty()) {
            throw new EmbeddedException(
                    why + join(services, " and ") + ": set " + howToSet(services) + ".");
        }
    }

    private static String join(List<BackingService> services, String separator) {
        return services.stream()
                .map(BackingService::toString)
                .collect(Collectors.joining(separator));
    }

    private static String howToSet(List<BackingService> services) {
        return services.stream()
                .map(BackingService::howToSet)
                .collect(Collectors.joining(", and "));
    }
}
