// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts or decrypts the frames of one direction with AES-256-GCM. The number of a frame is its
 * nonce, so that a frame that is missing, repeated or from another place does not open. Not for
 * concurrent use.
 */
final class Seal {
    /** How much longer a sealed frame is. */
    static final int TAG = 16;
    static final int KEY = 32;

    private static final int NONCE = 12;
    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final Cipher cipher;
    private long frames;

    Seal(byte[] key) {
        this.key = new SecretKeySpec(key, "AES");
        try {
            cipher = Cipher.getInstance("AES/GCM/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no AES-GCM", e);
        }
    }

    /**
     * Derives the key of a direction by HKDF (RFC 5869).
     *
     * @param salt the nonces of both sides
     * @param direction a text that is different for each direction
     */
    static Seal of(byte[] secret, byte[] salt, String direction) {
        byte[] first = direction.getBytes(StandardCharsets.US_ASCII);
        byte[] info = ByteBuffer.allocate(first.length + 1).put(first).put((byte) 1).array();
        return new Seal(hmac(hmac(salt, secret), info));
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + MAC, e);
        }
    }

    byte[] seal(byte[] plain) {
        try {
            return next(Cipher.ENCRYPT_MODE, plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Decrypts the next frame.
     *
     * @throws BadFrameException if it is not what the owner of the key sealed as this frame
     */
    byte[] open(byte[] sealed) throws BadFrameException {
        try {
            if (sealed.length < TAG) { // JDK 17 throws a ProviderException
                throw new AEADBadTagException();
            }
            return next(Cipher.DECRYPT_MODE, sealed);
        } catch (GeneralSecurityException e) {
            throw new BadFrameException("a frame was not sealed with the secret of this job");
        }
    }

    private byte[] next(int mode, byte[] text) throws GeneralSecurityException {
        byte[] nonce = ByteBuffer.allocate(NONCE).putInt(0).putLong(frames++).array();
        cipher.init(mode, key, new GCMParameterSpec(Byte.SIZE * TAG, nonce));
        return cipher.doFinal(text);
    }
}
