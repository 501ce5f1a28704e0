package dev.ovation.strategies;

class NoJoinTest extends StrategyContract {

    NoJoinTest() {
        super("no-join");
    }
}
