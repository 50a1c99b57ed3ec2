// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import io.hayate.NativeLoadException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.zip.ZipFile;

/**
 * What is on the class path that should not be: another version of Hayate, and jars that the JVM
 * passes over in silence because it cannot read them.
 */
final class ClassPath {
    /** Maven writes it into each jar, and it stays there when jars are merged. */
    private static final String POM = "META-INF/maven/io.hayate/hayate/pom.properties";

    private ClassPath() {
    }

    /**
     * Returns the version of these classes; an empty text if they are not in a jar.
     *
     * @throws NativeLoadException if there are several versions
     */
    static String version() {
        Map<String, String> versions = versions();
        if (versions.size() > 1) {
            List<String> found = new ArrayList<>();
            versions.forEach((version, jar) -> found.add(version + " in " + jar));
            throw new NativeLoadException(versions.size() + " versions of Hayate are on the class"
                    + " path (" + String.join(", ", found) + "); keep one of them", null);
        }
        return versions.isEmpty() ? "" : versions.keySet().iterator().next();
    }

    /** The same version twice does no harm: its classes and files are the same. */
    private static Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        try {
            ClassLoader loader = ClassPath.class.getClassLoader();
            for (URL url : Collections.list(loader.getResources(POM))) {
                versions.putIfAbsent(version(url), jar(url));
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            return versions; // whoever needs this jar finds out
        }
        return versions;
    }

    /** Leaves no jar open, as a cache would. */
    private static String version(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        Properties properties = new Properties();
        try (InputStream in = connection.getInputStream()) {
            properties.load(in);
        }
        return properties.getProperty("version", "unknown");
    }

    private static String jar(URL url) {
        return url.getPath().replaceFirst("^file:", "").replaceFirst("!/.*", "");
    }

    /** Names the jars that are no archives, in a sentence that can follow another; or "". */
    static String damaged() {
        List<String> damaged = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator)) {
            if (entry.endsWith(".jar") && new File(entry).isFile() && !isArchive(entry)) {
                damaged.add(entry);
            }
        }
        return damaged.isEmpty() ? "" : "; damaged on the class path: "
                + String.join(", ", damaged) + ": only a part has been downloaded? Fetch it again";
    }

    private static boolean isArchive(String entry) {
        try {
            new ZipFile(entry).close();
            return true;
        } catch (IOException cutOff) {
            return false;
        }
    }
}
