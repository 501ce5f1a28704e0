package dev.ovation.strategies;

import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;

/** The simplest strategy: no index at all; the lock of the entity keeps rows unique. */
final class Mvp extends UserReactionRows {

    Mvp(JdbcTemplate jdbc) {
        super(jdbc);
    }

    @Override
    public String name() {
        return "mvp";
    }

    @Override
    public List<String> tables() {
        return List.of(table(""));
    }
}
