/* SPDX-License-Identifier: GPL-2.0 */
/* Vectors that callers pass, and cursors that move along them. */
#ifndef HY_VECTOR_H
#define HY_VECTOR_H

#include <linux/types.h>
#include <uapi/hayate.h>

#define HY_FEW_VECTORS 8

/* The vectors of a call; a few of them are stored in this structure, on the stack. */
struct hy_vectors {
	u32 count;
	u64 length;
	struct hayate_vector *all;
	struct hayate_vector few[HY_FEW_VECTORS];
};

/*
 * Reads "count" vectors at "address" of the caller, each within 0..end: 0, -EINVAL, -EFAULT,
 * -ENOMEM. Call hy_vectors_drop() also after an error.
 */
int hy_vectors_read(struct hy_vectors *vectors, u64 address, u32 count, u64 end);
void hy_vectors_drop(struct hy_vectors *vectors);

/* A position in a list of vectors; it does not own them. */
struct hy_cursor {
	const struct hayate_vector *vector;
	u32 left; /* vectors left, including this one */
	u64 done; /* bytes of this one */
};

void hy_cursor_begin(struct hy_cursor *cursor, const struct hayate_vector *vectors, u32 count);
/* Skips "bytes" bytes. */
void hy_cursor_skip(struct hy_cursor *cursor, u64 bytes);
/*
 * Takes at most "most" contiguous bytes: *start is their address; returns their number (0: the
 * end).
 */
u64 hy_cursor_take(struct hy_cursor *cursor, u64 most, u64 *start);
/* Moves back over the last "bytes" bytes that were taken. */
void hy_cursor_back(struct hy_cursor *cursor, u64 bytes);

#endif
