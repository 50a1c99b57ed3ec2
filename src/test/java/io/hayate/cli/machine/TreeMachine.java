// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A machine made of files, for tests. */
public final class TreeMachine {
    private final Path root;

    public TreeMachine(Path root) {
        this.root = root;
    }

    public TreeMachine with(String path, String text) {
        try {
            Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Machine machine() {
        return new Machine(root);
    }
}
