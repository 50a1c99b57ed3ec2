/* SPDX-License-Identifier: Apache-2.0 */
/* Writes records into memory. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "explain/state.h"

int hy_records_open(hy_records *records)
{
    *records = (hy_records){0};
    records->out = open_memstream(&records->text, &records->size);
    return records->out ? HAYATE_OK : hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a text");
}

int hy_records_close(hy_records *records, int rc, char **text)
{
    bool lost = ferror(records->out) != 0;
    if (fclose(records->out) != 0) lost = true;
    if (!rc && lost)
        rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a text of %zu B or more; ask for less",
                     records->size);
    if (rc) free(records->text);
    else *text = records->text;
    return rc;
}

void hy_records_text(hy_records *records, const char *text)
{
    fputc('\t', records->out);
    if (!*text) fputc('-', records->out);
    for (; *text; text++) fputc((unsigned char)*text < ' ' ? '?' : *text, records->out);
}

void hy_records_number(hy_records *records, uint64_t number)
{
    fprintf(records->out, "\t%" PRIu64, number);
}

/* Times are integers, because the decimal point of a fraction depends on the locale of the
 * process. */
void hy_records_time(hy_records *records, double ns)
{
    double ps = ns * 1000;
    if (!(ps >= 0 && ps < 9e18)) hy_records_none(records);
    else hy_records_number(records, (uint64_t)(ps + 0.5));
}

void hy_records_none(hy_records *records)
{
    fputs("\t-", records->out);
}

void hy_records_counts(hy_records *records, const hy_sim_result *result)
{
    hy_records_number(records, result->signals);
    hy_records_number(records, result->bytes);
    hy_records_number(records, result->rank_signals);
    hy_records_number(records, result->rank_bytes);
    hy_records_number(records, result->rank_steps);
    hy_records_number(records, result->rank_memory);
    hy_records_text(records, result->alike ? "alike" : "each");
}
