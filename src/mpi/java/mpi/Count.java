// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A number of elements, which may be larger than an int. Not for several threads at a time. */
@SuppressWarnings("rawtypes") // programs are compiled for the raw type
public final class Count implements Comparable {
    private long count;

    /**
     * Creates a number.
     *
     * @param count the number
     */
    public Count(long count) {
        this.count = count;
    }

    /** {@return the number} */
    public long getCount() {
        return count;
    }

    /**
     * Changes the number.
     *
     * @param count the new number
     */
    public void setCount(long count) {
        this.count = count;
    }

    /**
     * Compares numbers.
     *
     * @param other another {@code Count}
     * @return negative, 0 or positive, as this number is less, equal or greater
     * @throws ClassCastException if the other object is no {@code Count}
     */
    @Override
    public int compareTo(Object other) {
        return Long.compare(count, ((Count) other).count);
    }

    /**
     * Compares numbers.
     *
     * @param other any object or null
     * @return whether it is a {@code Count} of the same number
     */
    @Override
    public boolean equals(Object other) {
        return other instanceof Count that && that.count == count;
    }

    /** {@return a hash of the number} */
    @Override
    public int hashCode() {
        return Long.hashCode(count);
    }

    /** {@return the number in decimal digits} */
    @Override
    public String toString() {
        return Long.toString(count);
    }
}
