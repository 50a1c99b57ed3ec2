// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A machine made of files, for tests. */
final class TreeMachine {
    private final Path root;

    TreeMachine(Path root) {
        this.root = root;
    }

    TreeMachine with(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Machine machine() {
        return new Machine(root);
    }
}
