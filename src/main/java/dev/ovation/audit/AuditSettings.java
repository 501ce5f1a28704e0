package dev.ovation.audit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * Settings of the auditor.
 *
 * @param rate entities that all instances together look at in a second by themselves; 0 for none
 * @param patience how long one audit on demand may take; it answers with what it has done by then
 */
@ConfigurationProperties("ovation.audit")
record AuditSettings(@DefaultValue("10") int rate, @DefaultValue("10s") Duration patience) {}
