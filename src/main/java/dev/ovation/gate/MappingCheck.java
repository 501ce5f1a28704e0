package dev.ovation.gate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import java.util.ArrayList;
import java.util.List;

/** Ends the start of an application in which a mapped handler demands no scope. */
final class MappingCheck implements SmartInitializingSingleton {

    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;

    MappingCheck(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        this.mappings = mappings;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<String> unguarded = new ArrayList<>();
        mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .filter(
                        each ->
                                !HandlerScopes.isEndpoint(each)
                                        && HandlerScopes.scope(each) == null)
                .forEach(each -> unguarded.add(each.getShortLogMessage()));
        if (!unguarded.isEmpty()) {
            throw new UnguardedException(unguarded);
        }
    }
}
