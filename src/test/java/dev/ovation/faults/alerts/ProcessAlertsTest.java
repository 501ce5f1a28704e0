package dev.ovation.faults.alerts;

import com.sun.management.UnixOperatingSystemMXBean;

import dev.ovation.testing.Instance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Faults of the process of an instance: its heap, its files, its version. Isolated, because heap
 * and files belong to the whole JVM.
 */
@Alerting
@Isolated
class ProcessAlertsTest {

    private static final double NEARLY_FULL = 0.88;
    private static final int PIECE = 100_000;

    /** Of 50 MB. */
    private static final int PIECES = 500;

    private static final int SPARE_FILES = 2_000;

    private static final UnixOperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);

    @TempDir static Path folder;
    private static AlertBench bench;
    private static Instance service;

    @BeforeAll
    static void start() {
        bench = new AlertBench();
        service = bench.stage.start();
        bench.prometheus.watch(service.port());
    }

    @AfterAll
    static void stop() {
        bench.close();
    }

    /** The service runs in the JVM of this test. */
    @Fires("HeapFull")
    void aHeapThatIsNearlyFull(TestInfo test) throws Exception {
        var ballast = new ArrayList<byte[]>();
        bench.shows(
                test,
                () -> {
                    while (isRoomLeft()) {
                        for (int i = 0; i < PIECES; i++) {
                            ballast.add(new byte[PIECE]);
                        }
                        System.gc();
                    }
                },
                () -> {
                    ballast.clear();
                    System.gc();
                });
    }

    private static boolean isRoomLeft() {
        MemoryUsage old =
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getName().matches(".*(Old|Tenured) Gen"))
                        .findFirst()
                        .orElseThrow()
                        .getUsage();
        return old.getUsed() < NEARLY_FULL * old.getMax();
    }

    /** The limit is lower meanwhile, since the usual one is a million on some machines. */
    @Fires("FilesFull")
    void manyOpenFiles(TestInfo test) throws Exception {
        var files = new ArrayList<InputStream>();
        long limit = SYSTEM.getMaxFileDescriptorCount();
        bench.shows(
                test,
                () -> {
                    long open = SYSTEM.getOpenFileDescriptorCount();
                    limitFiles(open + SPARE_FILES);
                    for (int i = 0; i < 0.9 * SPARE_FILES; i++) {
                        files.add(new FileInputStream("/dev/null"));
                    }
                },
                () -> {
                    for (InputStream file : files) {
                        file.close();
                    }
                    limitFiles(limit);
                });
    }

    private static void limitFiles(long most) throws IOException, InterruptedException {
        String pid = "" + ProcessHandle.current().pid();
        new ProcessBuilder("prlimit", "--pid", pid, "--nofile=" + most + ":").start().waitFor();
    }

    /** Stands for a roll-out that does not end. */
    @Fires("VersionsMixed")
    void anInstanceOfAnotherVersion(TestInfo test) throws Exception {
        Path version = folder.resolve("build-info.properties");
        Files.writeString(version, "build.version=0.0.1\n");
        try (var other = bench.stage.start("spring.info.build.location=file:" + version)) {
            bench.shows(
                    test,
                    () -> bench.prometheus.watch(service.port(), other.port()),
                    () -> bench.prometheus.watch(service.port()));
        }
    }
}
