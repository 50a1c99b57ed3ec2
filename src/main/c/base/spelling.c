/* SPDX-License-Identifier: Apache-2.0 */
/* The distance between two words, in edits. */
#include "base/spelling.h"

#include <string.h>

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The number of characters to insert, delete, change or swap with the next, to turn one into the
 * other (optimal string alignment). */
static int distance(const char *a, const char *b)
{
    int rows[3][HY_SPELLING_LENGTH], columns = (int)strlen(b), length = (int)strlen(a);
    for (int j = 0; j <= columns; j++) rows[0][j] = j;
    for (int i = 1; i <= length; i++) {
        int *now = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *over = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool same = upper(a[i - 1]) == upper(b[j - 1]);
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + !same);
            bool swapped = i > 1 && j > 1 && upper(a[i - 1]) == upper(b[j - 2]) &&
                           upper(a[i - 2]) == upper(b[j - 1]);
            if (swapped) now[j] = least(now[j], over[j - 2] + 1);
        }
    }
    return rows[length % 3][columns];
}

bool hy_spelling_nearer(const char *word, const char *name, int *best)
{
    size_t length = strlen(word);
    if (length >= HY_SPELLING_LENGTH || strlen(name) >= HY_SPELLING_LENGTH) return false;
    if (!*best) *best = (int)length / 4 + 2;
    int far = distance(word, name);
    if (far >= *best) return false;
    *best = far ? far : 1;
    return true;
}
