// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.Errors;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Texts as C has them: with a closing 0, in the encoding of file names. */
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

    /** One; null stays null. */
    public static byte[] text(String what, String text) {
        if (text == null) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 1);
        append(what, text, bytes);
        return bytes.toByteArray();
    }

    /** One behind the other. */
    public static byte[] texts(String what, List<String> texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String text : texts) {
            append(what, text, bytes);
        }
        bytes.write(0); // JNA likes no empty array
        return bytes.toByteArray();
    }

    private static void append(String what, String text, ByteArrayOutputStream bytes) {
        if (text.indexOf('\0') >= 0) {
            throw Errors.argument(what + " with a character 0 in it");
        }
        // Where the locale knows nothing but ASCII, UTF-8 is what everybody means.
        boolean fits = FILES.newEncoder().canEncode(text);
        bytes.writeBytes(text.getBytes(fits ? FILES : StandardCharsets.UTF_8));
        bytes.write(0);
    }
}
