// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.spark.BarrierTaskContext;

/** What tasks tell the test, also those that fail: lines in a file. */
final class Notes implements Serializable {
    private static final long serialVersionUID = 1;

    private final String file;

    Notes(Path folder) {
        file = folder.resolve("notes").toString();
    }

    /** Writes "ATTEMPT RANK WHAT MILLISECONDS" of the calling task. */
    void write(String what) {
        BarrierTaskContext task = BarrierTaskContext.get();
        String line = task.stageAttemptNumber() + " " + task.partitionId() + " " + what + " "
                + System.currentTimeMillis() + "\n";
        try {
            Files.writeString(Path.of(file), line, StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words of the line that begins so, when there is one. */
    String[] await(String start) throws Exception {
        for (int i = 0; i < 600; i++) {
            for (String line : lines()) {
                if (line.startsWith(start + " ")) {
                    return line.split(" ");
                }
            }
            Thread.sleep(50); // a file of another process
        }
        throw new AssertionError("no '" + start + "' among " + lines());
    }

    /** The milliseconds of the line that begins so. */
    long time(String start) throws Exception {
        String[] words = await(start);
        return Long.parseLong(words[words.length - 1]);
    }

    private List<String> lines() throws IOException {
        return Files.exists(Path.of(file)) ? Files.readAllLines(Path.of(file)) : List.of();
    }
}
