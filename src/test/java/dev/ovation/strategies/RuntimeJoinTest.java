package dev.ovation.strategies;

class RuntimeJoinTest extends StrategyContract {

    RuntimeJoinTest() {
        super("runtime-join");
    }
}
