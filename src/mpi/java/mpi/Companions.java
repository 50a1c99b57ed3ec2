// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * The jar of Hayate, without which this package cannot work, and whose version must be the same:
 * the JVM would only name a class.
 */
final class Companions {
    private static final String POMS = "/META-INF/maven/io.hayate/";

    private Companions() {
    }

    /** Throws a LinkageError if the jar is missing or of another version. */
    static void check() {
        String own = version("hayate-mpi");
        try {
            Class.forName("io.hayate.Hayate", false, Companions.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            throw new NoClassDefFoundError("the package mpi needs the jars hayate" + dash(own)
                    + " and jna on the class path, or hayate" + dash(own) + "-cli alone, in"
                    + " addition to hayate-mpi" + dash(own) + ": no " + absent.getMessage());
        }
        String other = version("hayate");
        if (!own.isEmpty() && !other.isEmpty() && !own.equals(other)) {
            throw new IncompatibleClassChangeError("hayate-mpi" + dash(own) + " and hayate"
                    + dash(other) + " do not belong together: take the same version of both");
        }
    }

    private static String dash(String version) {
        return version.isEmpty() ? "" : "-" + version;
    }

    /** Returns an empty text if the classes are not in a jar. */
    private static String version(String artifact) {
        String pom = POMS + artifact + "/pom.properties";
        Properties properties = new Properties();
        try (InputStream in = Companions.class.getResourceAsStream(pom)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException unreadable) {
            return "";
        }
        return properties.getProperty("version", "");
    }
}
