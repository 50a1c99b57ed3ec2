// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipException;

/**
 * Reads a resource of a jar and compares its checksum at the end, which the JDK does not do: what
 * is inflated from a jar with a hole may be a library of the right length that ends the process.
 */
public final class CheckedResource extends CheckedInputStream {
    private static final long UNKNOWN = -1;

    private final long expected;

    private CheckedResource(InputStream content, long expected) {
        super(content, new CRC32());
        this.expected = expected;
    }

    /**
     * Opens a resource. The read that would return the end throws {@link ZipException} if the
     * content is not that which was put into the jar.
     */
    public static InputStream open(URL resource) throws IOException {
        URLConnection connection = resource.openConnection();
        long checksum = connection instanceof JarURLConnection jar && jar.getJarEntry() != null
                ? jar.getJarEntry().getCrc() : UNKNOWN;
        return new CheckedResource(connection.getInputStream(), checksum);
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        return next < 0 ? atEnd() : next;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        int count = super.read(to, from, length);
        return count < 0 ? atEnd() : count;
    }

    private int atEnd() throws ZipException {
        if (expected != UNKNOWN && getChecksum().getValue() != expected) {
            throw new ZipException("its checksum is wrong");
        }
        return -1;
    }
}
