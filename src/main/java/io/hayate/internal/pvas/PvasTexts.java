// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.errors.Errors;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts in the form of C: with a final 0, in the encoding of file names. */
public final class PvasTexts {
    private static final Charset FILES = filesCharset();

    private PvasTexts() {
    }

    private static Charset filesCharset() {
        try {
            return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }

    /** Converts one text; null stays null. */
    public static byte[] text(String what, String text) {
        if (text == null) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 1);
        append(what, text, bytes);
        return bytes.toByteArray();
    }

    /** Converts several texts, one after the other. */
    public static byte[] texts(String what, List<String> texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            append(what, text, bytes);
        }
        bytes.write(0); // JNA does not accept an empty array
        return bytes.toByteArray();
    }

    private static void append(String what, String text, ByteArrayOutputStream bytes) {
        if (text.indexOf('\0') >= 0) {
            throw Errors.argument(what + " contains the character 0");
        }
        // In a locale of ASCII alone, other characters are encoded in UTF-8.
        boolean fits = FILES.newEncoder().canEncode(text);
        bytes.writeBytes(text.getBytes(fits ? FILES : StandardCharsets.UTF_8));
        bytes.write(0);
    }
}
