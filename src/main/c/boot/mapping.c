/* SPDX-License-Identifier: Apache-2.0 */
/* A list of the mappings, by the files that they are of. */
#include "boot/mapping.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/segment.h"

typedef struct mapping {
    struct mapping *next;
    dev_t device;
    ino_t file;
    hy_control *control;
    uint64_t bytes;
    int holders;
} mapping;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mapping *all; /* under `lock` */

static mapping *find(const struct stat *file)
{
    mapping *m = all;
    while (m && (m->device != file->st_dev || m->file != file->st_ino)) m = m->next;
    return m;
}

static int add_mapping(int fd, uint32_t size, uint64_t bytes, const struct stat *file,
                       mapping **added)
{
    mapping *m = calloc(1, sizeof *m);
    if (!m) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job of %u ranks", size);
    *m = (mapping){.next = all, .device = file->st_dev, .file = file->st_ino, .bytes = bytes};
    int rc = hy_segment_map(fd, size, bytes, &m->control);
    if (rc) free(m);
    else *added = all = m;
    return rc;
}

/* The size was checked by the rank that mapped it, and the seals keep it. */
int hy_mapping_take(int fd, uint32_t size, uint64_t bytes, hy_control **control)
{
    struct stat file;
    if (fstat(fd, &file) != 0) return hy_fail_errno("cannot look at the segment of this node");
    pthread_mutex_lock(&lock);
    mapping *m = find(&file);
    int rc = m ? HAYATE_OK : add_mapping(fd, size, bytes, &file, &m);
    if (!rc && (m->bytes != bytes || m->control->size != size))
        rc = hy_fail(HAYATE_ERR_CORRUPT,
                     "the segment of this node has another size than announced");
    if (!rc) {
        m->holders++;
        *control = m->control;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void hy_mapping_drop(hy_control *control)
{
    pthread_mutex_lock(&lock);
    mapping **at = &all;
    while ((*at)->control != control) at = &(*at)->next;
    mapping *m = *at;
    if (--m->holders == 0) {
        *at = m->next;
        munmap(m->control, m->bytes);
        free(m);
    }
    pthread_mutex_unlock(&lock);
}

static uint8_t process_space[16];

static void make_space(void)
{
    if (getrandom(process_space, sizeof process_space, 0) == (ssize_t)sizeof process_space) return;
    memset(process_space, 0, sizeof process_space); /* each rank is then in a space of its own */
}

void hy_mapping_space(uint8_t space[16])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_space);
    memcpy(space, process_space, sizeof process_space);
}
