// SPDX-License-Identifier: GPL-2.0
/* Reads and checks vectors, and moves cursors along them. */
#include "vector.h"

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include "words.h"

static int check(struct hy_vectors *vectors, u64 end)
{
	u64 last;
	u32 i;

	vectors->length = 0;
	for (i = 0; i < vectors->count; i++) {
		const struct hayate_vector *v = &vectors->all[i];

		if (check_add_overflow(v->start, v->length, &last) || last > end)
			return -EINVAL;
		if (check_add_overflow(vectors->length, v->length, &vectors->length))
			return -EINVAL;
	}
	return 0;
}

static int fetch(struct hayate_vector *to, const void __user *from, size_t bytes)
{
	if (bytes == sizeof(*to))
		return hy_words_read((u64 *)to, from, sizeof(*to));
	return copy_from_user(to, from, bytes) ? -EFAULT : 0;
}

int hy_vectors_read(struct hy_vectors *vectors, u64 address, u32 count, u64 end)
{
	size_t bytes = count * sizeof(vectors->few[0]);

	vectors->all = vectors->few;
	vectors->count = 0;
	if (count > HAYATE_MAX_VECTORS)
		return -EINVAL;
	if (count > HY_FEW_VECTORS) {
		vectors->all = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
		if (!vectors->all)
			return -ENOMEM;
	}
	if (fetch(vectors->all, u64_to_user_ptr(address), bytes))
		return -EFAULT;
	vectors->count = count;
	return check(vectors, end);
}

void hy_vectors_drop(struct hy_vectors *vectors)
{
	if (vectors->all != vectors->few)
		kvfree(vectors->all);
}

void hy_cursor_begin(struct hy_cursor *cursor, const struct hayate_vector *vectors, u32 count)
{
	cursor->vector = vectors;
	cursor->left = count;
	cursor->done = 0;
}

void hy_cursor_skip(struct hy_cursor *cursor, u64 bytes)
{
	u64 start, some;

	while (bytes) {
		some = hy_cursor_take(cursor, bytes, &start);
		if (!some)
			return;
		bytes -= some;
	}
}

u64 hy_cursor_take(struct hy_cursor *cursor, u64 most, u64 *start)
{
	u64 some;

	while (cursor->left && cursor->done == cursor->vector->length) {
		cursor->vector++;
		cursor->left--;
		cursor->done = 0;
	}
	if (!cursor->left)
		return 0;
	some = min(most, cursor->vector->length - cursor->done);
	*start = cursor->vector->start + cursor->done;
	cursor->done += some;
	return some;
}

void hy_cursor_back(struct hy_cursor *cursor, u64 bytes)
{
	cursor->done -= bytes;
}
