package dev.ovation.web;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches in the context of a management port alone, which is a child of the application's: the
 * scan of the application's packages finds the configuration of that port as well.
 */
public final class OnManagementPort implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return beans != null && beans.getParentBeanFactory() != null;
    }
}
