package dev.ovation.faults.alerts;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A class of faults that fire alerts in a Prometheus: {@code ./mvnw verify -Palerts}. */
@Tag("embedded")
@EnabledIfSystemProperty(named = "prometheus.demanded", matches = "true")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Alerting {}
