package dev.ovation.strategies;

class MvpTest extends StrategyContract {

    MvpTest() {
        super("mvp");
    }
}
