/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and checks the records of a bootstrap. Both begin with the same six words. */
#include "boot/bootstrap_records.h"

#include <stddef.h>
#include <string.h>

#include "base/printable.h"
#include "base/status.h"
#include "boot/control.h"

#define OFFER_MAGIC UINT32_C(0x68796f66)
#define ADDRESS_MAGIC UINT32_C(0x68796164)

typedef struct head {
    uint32_t magic, abi, rank, size;
    int32_t code;
    uint32_t text_bytes;
} head;

_Static_assert(offsetof(hy_offer, text_bytes) == offsetof(head, text_bytes) &&
                   offsetof(hy_offer_address, text_bytes) == offsetof(head, text_bytes),
               "the head of both");
_Static_assert(sizeof(hy_offer) <= HY_OFFER_BYTES && sizeof(hy_offer_address) <= HY_OFFER_BYTES,
               "room for each");

static uint32_t write_text(char to[HY_OFFER_TEXT], int code, const char *text)
{
    const hy_failure failure = hy_failure_of(code);
    strncpy(to, code ? failure.reason : text, HY_OFFER_TEXT - 1);
    to[HY_OFFER_TEXT - 1] = '\0';
    return (uint32_t)strlen(to);
}

size_t hy_offer_finish(hy_offer *offer, int code, const char *text)
{
    offer->magic = OFFER_MAGIC;
    offer->abi = HY_ABI;
    offer->code = code;
    offer->text_bytes = write_text(offer->text, code, text);
    return offsetof(hy_offer, text) + offer->text_bytes;
}

size_t hy_offer_address_finish(hy_offer_address *address, int code, const char *text)
{
    address->magic = ADDRESS_MAGIC;
    address->abi = HY_ABI;
    address->code = code;
    address->text_bytes = write_text(address->text, code, text);
    return offsetof(hy_offer_address, text) + address->text_bytes;
}

static int refuse_record(const char *what, int number, size_t bytes)
{
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "record %d of the exchange, of %zu bytes, is not %s: an exchange must return "
                   "the record of each rank of this job, unchanged, in each of its two calls",
                   number, bytes, what);
}

/* The words up to abi are the same in all versions. */
static int read_record(const void *record, size_t bytes, int number, uint32_t magic, size_t text_at,
                       void *to, const char *what)
{
    head head;
    if (bytes < text_at || bytes >= text_at + HY_OFFER_TEXT)
        return refuse_record(what, number, bytes);
    memcpy(&head, record, sizeof head);
    if (head.magic != magic) return refuse_record(what, number, bytes);
    if (head.abi != HY_ABI)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the rank of record %d of the exchange has abi %u, this library has abi %u: "
                       "use the same version of Hayate on all ranks",
                       number, head.abi, HY_ABI);
    if (head.text_bytes != bytes - text_at) return refuse_record(what, number, bytes);
    char *text = (char *)to + text_at;
    memcpy(to, record, bytes);
    text[head.text_bytes] = '\0';
    hy_make_printable(text, head.text_bytes);
    return HAYATE_OK;
}

int hy_offer_read(const void *record, size_t bytes, int number, hy_offer *offer)
{
    return read_record(record, bytes, number, OFFER_MAGIC, offsetof(hy_offer, text), offer,
                       "an offer of a rank");
}

int hy_offer_address_read(const void *record, size_t bytes, int number, hy_offer_address *address)
{
    return read_record(record, bytes, number, ADDRESS_MAGIC, offsetof(hy_offer_address, text),
                       address, "an address of a rank");
}

/* FNV-1a: against mix-ups, not against attacks. */
uint64_t hy_offer_digest(uint64_t digest, const void *record, size_t bytes)
{
    digest ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        digest = (digest ^ ((const uint8_t *)record)[i]) * UINT64_C(0x100000001b3);
    return digest;
}
