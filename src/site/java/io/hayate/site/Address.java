// SPDX-License-Identifier: Apache-2.0
package io.hayate.site;

import java.nio.file.Files;
import java.nio.file.Path;

/** Which page of the site shows a file or folder of the checkout. */
final class Address {
    private Address() { }

    /**
     * @param root of the checkout
     * @param file below it, relative to it
     * @return the page, relative to the site's folder
     */
    static Path of(Path root, Path file) {
        String name = file.toString();
        if (Files.isDirectory(root.resolve(file))) {
            return file.resolve("index.html").normalize();
        } else if (name.endsWith("README.md")) {
            return file.resolveSibling("index.html");
        } else if (name.endsWith(".md")) {
            return Path.of(name.replaceFirst("\\.md$", ".html"));
        }
        return isPicture(file) ? file : Path.of(name + ".html");
    }

    static boolean isPicture(Path file) {
        return file.toString().matches(".*\\.(svg|png)");
    }

    /** Text of a link from one page to another. */
    static String link(Path from, Path to) {
        Path folder = from.getParent();
        return (folder == null ? to : folder.relativize(to)).toString();
    }
}
