package dev.ovation.testing;

import org.springframework.boot.ApplicationContextFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Class files that the instances of this JVM find and read once, not at each start. */
final class SharedScan {

    private static final MetadataReaderFactory CLASS_FILES =
            new CachingMetadataReaderFactory(new DefaultResourceLoader()) {
                /** Each context would clear it at the end of its start. */
                @Override
                public void clearCache() {}
            };

    private static final Map<Resource, MetadataReader> READ = new ConcurrentHashMap<>();

    /** {@code SharedMetadataReaderFactoryContextInitializer.BEAN_NAME} of Spring Boot. */
    private static final String CLASS_FILES_BEAN =
            "org.springframework.boot.autoconfigure.internalCachingMetadataReaderFactory";

    /** The start of each pattern of a scan of the service. */
    private static final String PACKAGES = "classpath*:dev/ovation/";

    /** The folder of the test classes; a scan leaves them out. */
    private static final String TESTS =
            SharedScan.class.getProtectionDomain().getCodeSource().getLocation().toString();

    private static final Map<String, Resource[]> FOUND = new ConcurrentHashMap<>();

    private SharedScan() {}

    /** Makes the context of Spring Boot, which finds the classes of a scan once for all. */
    static final ApplicationContextFactory CONTEXTS =
            _ ->
                    new AnnotationConfigServletWebServerApplicationContext() {
                        @Override
                        public Resource[] getResources(String pattern) throws IOException {
                            if (!pattern.startsWith(PACKAGES)) {
                                return super.getResources(pattern);
                            }
                            Resource[] found = FOUND.get(pattern);
                            if (found == null) {
                                found = ofTheProgram(super.getResources(pattern));
                                FOUND.put(pattern, found);
                            }
                            return found.clone();
                        }
                    };

    private static Resource[] ofTheProgram(Resource[] all) {
        return Arrays.stream(all).filter(SharedScan::isOfTheProgram).toArray(Resource[]::new);
    }

    private static boolean isOfTheProgram(Resource resource) {
        try {
            return !resource.getURL().toString().contains(TESTS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Takes the place of Spring Boot's factory, and fills the context's own cache, from which
     * Spring reads the classes of a scan; each application has both of its own.
     */
    static void share(ConfigurableApplicationContext context) {
        var read = ((DefaultResourceLoader) context).getResourceCache(MetadataReader.class);
        read.putAll(READ);
        context.addBeanFactoryPostProcessor(_ -> READ.putAll(read));
        ((GenericApplicationContext) context)
                .registerBean(CLASS_FILES_BEAN, MetadataReaderFactory.class, () -> CLASS_FILES);
    }
}
