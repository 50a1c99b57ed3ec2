// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedResourceTest {
    private static final byte[] CONTENT =
            "the bytes of a library".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path scratch;

    /** A jar whose only file is as it is in it, so that the JDK finds nothing wrong in another. */
    private URL resource(String jar, byte[] written) throws IOException {
        Path file = scratch.resolve(jar);
        CRC32 checksum = new CRC32();
        checksum.update(CONTENT);
        ZipEntry entry = new ZipEntry("library.so");
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(CONTENT.length);
        entry.setCrc(checksum.getValue());
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(entry);
            out.write(CONTENT);
            out.closeEntry();
        }
        String whole = Files.readString(file, StandardCharsets.ISO_8859_1);
        Files.writeString(file, whole.replace(new String(CONTENT, StandardCharsets.ISO_8859_1),
                new String(written, StandardCharsets.ISO_8859_1)), StandardCharsets.ISO_8859_1);
        return URI.create("jar:" + file.toUri() + "!/library.so").toURL();
    }

    @Test
    void should_read_what_was_put_into_a_jar() throws IOException {
        try (InputStream in = CheckedResource.open(resource("whole.jar", CONTENT))) {
            assertArrayEquals(CONTENT, in.readAllBytes());
        }
    }

    @Test
    void should_refuse_anything_else() throws IOException {
        byte[] other = CONTENT.clone();
        other[3] ^= 1;
        try (InputStream in = CheckedResource.open(resource("other.jar", other))) {
            assertThrows(ZipException.class, in::readAllBytes);
        }
        try (InputStream in = CheckedResource.open(resource("single.jar", other))) {
            assertThrows(ZipException.class, () -> {
                while (in.read() >= 0) {
                    continue;
                }
            });
        }
    }

    @Test
    void should_read_a_file() throws IOException {
        Path file = Files.write(scratch.resolve("file"), CONTENT);
        try (InputStream in = CheckedResource.open(file.toUri().toURL())) {
            assertArrayEquals(CONTENT, in.readAllBytes());
        }
    }
}
