// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * The sequence of the primitive types of a datatype, without their places: how many of them some
 * packed bytes contain. Repetitions of a sequence are stored once. Immutable.
 */
final class Signature {
    static final Signature EMPTY = new Signature(new Part[0]);

    /** Bytes of one primitive type, of {@code unit} bytes each; or repetitions of a body. */
    private record Part(long bytes, int unit, Signature body) {
        long elements(long partBytes) {
            return body != null ? body.elements(partBytes)
                    : partBytes % unit == 0 ? partBytes / unit : -1;
        }

        long bytesOf(long elements) {
            return body != null ? body.bytesOf(elements) : elements * unit;
        }
    }

    private final Part[] parts;
    private final long bytes;
    private final long elements;

    private Signature(Part[] parts) {
        this.parts = parts;
        long byteSum = 0;
        long elementSum = 0;
        for (Part part : parts) {
            byteSum += part.bytes;
            elementSum += part.elements(part.bytes);
        }
        bytes = byteSum;
        elements = elementSum;
    }

    /** The signature of one value: of a primitive type, or of both parts of a pair. */
    static Signature of(Kind kind) {
        Builder builder = new Builder();
        for (Kind part : kind.first == null ? List.of(kind) : List.of(kind.first, kind.second)) {
            builder.part(part.bytes, part.bytes, null);
        }
        return builder.build();
    }

    /**
     * Returns the number of primitive elements in the first bytes of the repeated sequence.
     *
     * @return -1 if the last element is not whole
     */
    long elements(long packedBytes) {
        if (bytes == 0) {
            return packedBytes == 0 ? 0 : -1;
        }
        long sum = packedBytes / bytes * elements;
        long rest = packedBytes % bytes;
        for (int i = 0; rest > 0; i++) {
            long taken = Math.min(rest, parts[i].bytes);
            long found = parts[i].elements(taken);
            if (found < 0) {
                return -1;
            }
            sum += found;
            rest -= taken;
        }
        return sum;
    }

    /** Returns the packed bytes of the first primitive elements of the repeated sequence. */
    long bytesOf(long elementCount) {
        if (elements == 0) {
            return 0;
        }
        long sum = Math.multiplyExact(elementCount / elements, bytes);
        long rest = elementCount % elements;
        for (int i = 0; rest > 0; i++) {
            long taken = Math.min(rest, parts[i].elements(parts[i].bytes));
            sum += parts[i].bytesOf(taken);
            rest -= taken;
        }
        return sum;
    }

    /** Appends signatures to each other. */
    static final class Builder {
        private final List<Part> parts = new ArrayList<>();

        Builder add(Signature repeated, long count) {
            if (repeated.parts.length == 1 && repeated.parts[0].body == null || count == 1) {
                for (Part part : repeated.parts) {
                    part(part.bytes * count, part.unit, part.body);
                }
            } else {
                part(repeated.bytes * count, 0, repeated);
            }
            return this;
        }

        private void part(long bytes, int unit, Signature body) {
            int last = parts.size() - 1;
            if (last >= 0 && parts.get(last).unit == unit && parts.get(last).body == body) {
                parts.set(last, new Part(parts.get(last).bytes + bytes, unit, body));
            } else {
                parts.add(new Part(bytes, unit, body));
            }
        }

        Signature build() {
            return parts.isEmpty() ? EMPTY : new Signature(parts.toArray(new Part[0]));
        }
    }
}
