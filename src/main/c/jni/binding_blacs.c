/* SPDX-License-Identifier: Apache-2.0 */
/* The BLACS for Java. Java has checked that sections are inside of their memory, and keeps memory,
 * array and job reachable during a call. A shape is: element, uplo << 8, unit << 16. A place to
 * exchange in is: scope, topology << 8. */
#include "blacs/blacs.h"
#include "blacs/state.h"
#include "io_hayate_internal_bindings_BlacsBinding.h"
#include "jni/array_buffer.h"
#include "jni/java_vm.h"

/* ---- set-up, for JNA ---- */

HAYATE_API int hayate_binding_blacs_open(struct hy_job *job)
{
    return hayate_blacs_open_on(job);
}

HAYATE_API int hayate_binding_blacs_close(void)
{
    return hayate_blacs_close();
}

/* outer: the context of the processes, -1: all of them. map: number of process (i, j) at
 * i + j * rows. Returns the context, NOT_A_MEMBER, or an error code. */
HAYATE_API int hayate_binding_blacs_grid(int outer, const int *map, int rows, int columns)
{
    int context, system = 0;
    int rc = outer < 0 ? HAYATE_OK : hayate_blacs_get(outer, HY_BLACS_CONTEXT_SYSTEM, &system);
    if (!rc) rc = hayate_blacs_gridmap(system, map, rows, rows, columns, &context);
    if (rc) return rc;
    return context < 0 ? io_hayate_internal_bindings_BlacsBinding_NOT_A_MEMBER : context;
}

HAYATE_API int hayate_binding_blacs_grid_exit(int context)
{
    return hayate_blacs_gridexit(context);
}

/* place: rows, columns, row, column; -1 if there is no such context. */
HAYATE_API void hayate_binding_blacs_grid_info(int context, int *place)
{
    hayate_blacs_gridinfo(context, &place[0], &place[1], &place[2], &place[3]);
}

HAYATE_API int hayate_binding_blacs_set(int context, int what, int value)
{
    return hayate_blacs_set(context, what, &value);
}

/* scope: 'A', 'R' or 'C'. */
HAYATE_API int hayate_binding_blacs_is_broken(int context, int scope)
{
    hy_grid *grid = hy_grid_find(context);
    hy_members *members;
    if (!grid || hy_grid_scope(grid, (char)scope, &members)) return 0;
    return hy_comm_is_broken(grid->blacs->comms, members->comm);
}

/* ---- exchange, by JNI ---- */

#define BINDING(name) Java_io_hayate_internal_bindings_BlacsBinding_##name

_Static_assert(io_hayate_internal_bindings_BlacsBinding_SUM == HY_COMBINE_SUM &&
                   io_hayate_internal_bindings_BlacsBinding_ABS_MAX == HY_COMBINE_AMX &&
                   io_hayate_internal_bindings_BlacsBinding_ABS_MIN == HY_COMBINE_AMN &&
                   io_hayate_internal_bindings_BlacsBinding_UPPER == HY_UPPER &&
                   io_hayate_internal_bindings_BlacsBinding_LOWER == HY_LOWER,
               "both sides number combines and shapes alike");

static hy_matrix matrix_of(hy_array *range, jint m, jint n, jint lda, jint shape)
{
    return (hy_matrix){.memory = hy_array_or_native(range),
                       .m = m,
                       .n = n,
                       .lda = lda,
                       .element = shape & 0xff,
                       .uplo = shape >> 8 & 0xff,
                       .unit = shape >> 16 & 1};
}

static hy_where where_of(jint context, jint place)
{
    return (hy_where){context, (char)(place & 0xff), (char)(place >> 8 & 0xff)};
}

JNIEXPORT jint JNICALL BINDING(send)(JNIEnv *env, jclass type, jint context, jobject array,
                                     jlong start, jint m, jint n, jint lda, jint shape, jint row,
                                     jint column)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_matrix matrix = matrix_of(&range, m, n, lda, shape);
    return hayate_blacs_send(context, &matrix, row, column);
}

JNIEXPORT jint JNICALL BINDING(receive)(JNIEnv *env, jclass type, jint context, jobject array,
                                        jlong start, jint m, jint n, jint lda, jint shape, jint row,
                                        jint column)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_matrix matrix = matrix_of(&range, m, n, lda, shape);
    return hayate_blacs_receive(context, &matrix, row, column);
}

JNIEXPORT jint JNICALL BINDING(broadcast)(JNIEnv *env, jclass type, jint context, jint place,
                                          jobject array, jlong start, jint m, jint n, jint lda,
                                          jint shape)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_matrix matrix = matrix_of(&range, m, n, lda, shape);
    return hayate_blacs_broadcast(where_of(context, place), &matrix);
}

JNIEXPORT jint JNICALL BINDING(receiveBroadcast)(JNIEnv *env, jclass type, jint context, jint place,
                                                 jobject array, jlong start, jint m, jint n,
                                                 jint lda, jint shape, jint row, jint column)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_matrix matrix = matrix_of(&range, m, n, lda, shape);
    return hayate_blacs_receive_broadcast(where_of(context, place), &matrix, row, column);
}

/* rows and columns: m x n ints each, or both NULL. They are copied, because the call waits. */
JNIEXPORT jint JNICALL BINDING(combine)(JNIEnv *env, jclass type, jint context, jint place,
                                        jint operation, jobject array, jlong start, jint m, jint n,
                                        jint lda, jint shape, jint row, jint column, jintArray rows,
                                        jintArray columns)
{
    (void)type;
    hy_array range = hy_array_of(env, array, start);
    hy_matrix matrix = matrix_of(&range, m, n, lda, shape);
    hy_locations locations = {.ldi = rows ? m : -1};
    if (rows && !(locations.rows = (*env)->GetIntArrayElements(env, rows, NULL)))
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for locations");
    if (rows && !(locations.columns = (*env)->GetIntArrayElements(env, columns, NULL))) {
        (*env)->ReleaseIntArrayElements(env, rows, locations.rows, JNI_ABORT);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for locations");
    }
    int rc = hayate_blacs_combine(where_of(context, place), (hy_combine)operation, &matrix,
                                  locations, row, column);
    if (rows) {
        (*env)->ReleaseIntArrayElements(env, rows, locations.rows, 0);
        (*env)->ReleaseIntArrayElements(env, columns, locations.columns, 0);
    }
    return rc;
}

JNIEXPORT jint JNICALL BINDING(barrier)(JNIEnv *env, jclass type, jint context, jint place)
{
    (void)env, (void)type;
    return hayate_blacs_barrier(where_of(context, place));
}
