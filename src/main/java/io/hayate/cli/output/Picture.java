// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import io.hayate.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The files of pictures, which are SVG. */
public final class Picture {
    private Picture() {
    }

    /** Checks the file name early, so that a long simulation is not lost. */
    public static void check(Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(".svg")) {
            throw new CommandFailure(file + ": only SVG is supported; use a name that ends in .svg"
                    + " (rsvg-convert or a browser can convert it to PNG)");
        }
        if (directory == null || !Files.isDirectory(directory)) {
            throw new CommandFailure(file + ": there is no directory " + directory);
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory) || Files.isDirectory(file)) {
            throw new CommandFailure(file + ": cannot be written");
        }
    }

    public static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandFailure(file + ": cannot be written: " + e.getMessage());
        }
    }
}
