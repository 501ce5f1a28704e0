package dev.ovation.store;

import java.lang.reflect.Proxy;

/** A table in which every version is the newest; a test may delay its answers. */
public final class HeldConfigurations {

    private HeldConfigurations() {}

    /** Returns a table that runs {@code hold} before each answer. */
    public static ConfigurationTable of(Runnable hold) {
        return (ConfigurationTable)
                Proxy.newProxyInstance(
                        ConfigurationTable.class.getClassLoader(),
                        new Class<?>[] {ConfigurationTable.class},
                        (_, method, _) -> {
                            if (!method.getName().equals("isNewest")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            hold.run();
                            return true;
                        });
    }
}
