package dev.ovation.store.postgres;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of Postgres.
 *
 * @param citus Whether migrations divide the tables of an empty database over the nodes of Citus;
 *     experimental.
 */
@ConfigurationProperties("ovation.postgres")
record PostgresSettings(@DefaultValue("false") boolean citus) {}
