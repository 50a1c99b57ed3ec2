// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

/**
 * The calls of the BLACS that exchange data, by JNI. Callers check ranges, and keep job, memory and
 * array reachable until the call returns. All results are 0 or a code.
 *
 * <p>A matrix is an address, or a primitive array and {@code start} in bytes from its first
 * element; {@code start} is the address if the array is null. Its shape is the number of the
 * element type, or'ed with UPPER or LOWER shifted by 8, and UNIT. {@code place} is the letter of a
 * scope, or'ed with that of a topology shifted by 8.
 */
public final class BlacsBinding {
    public static final int SUM = 0;
    public static final int ABS_MAX = 1;
    public static final int ABS_MIN = 2;
    public static final int UPPER = 1;
    public static final int LOWER = 2;
    /** Bit of a shape: without the diagonal. */
    public static final int UNIT = 1 << 16;
    /** The result of {@link BlacsSetupBinding#blacsGrid} on processes that are not in the grid. */
    public static final int NOT_A_MEMBER = Integer.MAX_VALUE;

    private BlacsBinding() {
    }

    public static native int send(int context, Object array, long start, int m, int n, int lda,
            int shape, int row, int column);

    /** Blocks. */
    public static native int receive(int context, Object array, long start, int m, int n, int lda,
            int shape, int row, int column);

    public static native int broadcast(int context, int place, Object array, long start, int m,
            int n, int lda, int shape);

    /** Blocks. */
    public static native int receiveBroadcast(int context, int place, Object array, long start,
            int m, int n, int lda, int shape, int row, int column);

    /** Blocks. rows and columns have m * n elements, or are both null. */
    public static native int combine(int context, int place, int operation, Object array,
            long start, int m, int n, int lda, int shape, int row, int column, int[] rows,
            int[] columns);

    /** Blocks. */
    public static native int barrier(int context, int place);
}
