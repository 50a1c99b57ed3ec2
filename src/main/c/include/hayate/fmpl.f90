! SPDX-License-Identifier: Apache-2.0
!
! FMPL for Fortran: the functions of hayate/fmpl.h and what a program needs of hayate/hayate.h. Each
! is a subroutine of the same name. This file says only what differs from those headers.
!
! With the module: compile this file with your compiler (Fortran 2018, such as gfortran 12) and say
! `use fmpl`. The compiler then checks the calls. Sizes may be of 4 or of 8 bytes.
!
!     gfortran -c fmpl.f90 && gfortran program.f90 fmpl.o -L<directory of libhayate.so> -lhayate
!
! Without the module: say include 'fmpl.fh', which has the constants, in each program unit (fixed
! or free form), and call the same names. Nothing checks these calls. Sizes are of 4 bytes.
!
! Conventions
!   integer          the default integer, of 4 bytes (-fdefault-integer-8 cannot be used): ranks,
!                    mai, communicators, reductions, ier, counts, and sizes up to 2**31 - 1 bytes
!   integer*8        integer(FMPL_LONG_KIND): requests; the bytes of hayate_alloc and fmpl_trim;
!                    with the module, also all sizes: use it for buffers of 2 GB and more
!   size, block,     in bytes (storage_size(a) / 8 for each element), as in C; all of one kind.
!   stride           `received` has the kind of the size. If that is too small for the length of the
!                    message, `received` is 2147483647
!   sizes, offsets,  arrays with an element for each rank of the communicator, of the kind of a size
!   counts
!   buf, in, out,    any variable: scalar, array, a(1, j). It must be contiguous. The module refuses
!   work             an array section with gaps, such as a(1, :), with HAYATE_ERR_ARGUMENT: use
!                    fmpl_send_section. Without the module, the compiler copies such a section, and
!                    fmpl_irecv would write into a copy that is gone. Give a buffer of fmpl_isend,
!                    fmpl_irecv, fmpl_sendbuff_set and non-blocking collectives the attribute
!                    asynchronous (or target) until the operation is complete
!   FMPL_NULL        instead of `ma` and `fa` of fmpl_init, and of `work`: none, FMPL allocates it
!                    Also instead of `offsets`: the blocks follow each other; and of `in`, `out`,
!                    `sizes` on a rank that does not use them, as in a gather except on root
!   FMPL_NULL_LONG   the same for arrays of 8 bytes, only with the module
!   flags            integers: `done`, `cancelled`, `key`, `on` are 0 or not
!   ier              the last argument, FMPL_SUCCESS or a negative HAYATE_ERR_*; hayate_error tells
!                    the reason
!
! Subroutines that are not as in C
!   hayate_init(ier), hayate_finalize(ier), hayate_rank(rank, ier), hayate_size(size, ier)
!   hayate_alloc(address, bytes, ier), hayate_free(address, ier)
!                    address: type(c_ptr) with the module, for c_f_pointer(); without it integer*8,
!                    such as a Cray pointer
!   hayate_error(text), hayate_strerror(code, text), hayate_version(text)
!                    character(len=*): cut off or filled with blanks
!   hayate_error_peer(peer)
!   fmpl_send_section(buf, block, stride, count, dst, mai, ier)
!   fmpl_isend_section(buf, block, stride, count, dst, mai, request, ier)
!   fmpl_recv_section(buf, block, stride, count, src, mai, received, ier)
!   fmpl_irecv_section(buf, block, stride, count, src, mai, request, ier)
!                    `buf` is the first element of the section, such as a(i, j)
!   fmpl_wait_any(n, requests, index, ier)
!                    index from 1 to n; 0 if all requests are null
!   fmpl_sendbuff_set(buf, size, ipara, ier)
!                    ipara: the time-out in microseconds. A size of 0 takes the buffer back,
!                    whatever `buf` is
!   fmpl_function_create(function, element_bytes, op, ier)
!                    an external or module procedure with the arguments (inout, in, count), of which
!                    inout and in are arrays of assumed size, as real(8) :: inout(*); count is an
!                    integer, or an integer*8, which counts of 2**31 and more need:
!                    inout(i) = inout(i) op in(i) for i from 1 to count
!   fmpl_breakdown_get(times, samples, ier)
!                    real(8) times(6): set-up, header, data of sends, then of receives;
!                    integer*8 samples

! The functions of C that take buffers, as they are.
module fmpl_c
    use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_size_t
    implicit none
    private :: c_int, c_int64_t, c_ptr, c_size_t

    ! fmpl_section_t
    type, bind(C) :: section
        type(c_ptr) :: address
        integer(c_size_t) :: block, stride, count
    end type

    interface
        subroutine c_init(ma, fa, count, ier) bind(C, name='fmpl_init')
            import
            type(c_ptr), value :: ma, fa
            integer(c_int), value :: count
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_send(buf, size, dst, mai, ier) bind(C, name='fmpl_send')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: dst, mai
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_recv(buf, size, src, mai, ier) bind(C, name='fmpl_recv')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: src, mai
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_recv_size(buf, size, src, mai, received, ier) bind(C, name='fmpl_recv_size')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: src, mai
            integer(c_int64_t), intent(inout) :: received
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_isend(buf, size, dst, mai, request, ier) bind(C, name='fmpl_isend')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: dst, mai
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_irecv(buf, size, src, mai, request, ier) bind(C, name='fmpl_irecv')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: src, mai
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_send_section(place, dst, mai, ier) bind(C, name='fmpl_send_section')
            import
            type(section), intent(in) :: place
            integer(c_int), value :: dst, mai
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_recv_section(place, src, mai, received, ier) bind(C, name='fmpl_recv_section')
            import
            type(section), intent(in) :: place
            integer(c_int), value :: src, mai
            integer(c_int64_t), intent(inout) :: received
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_isend_section(place, dst, mai, request, ier) bind(C, name='fmpl_isend_section')
            import
            type(section), intent(in) :: place
            integer(c_int), value :: dst, mai
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_irecv_section(place, src, mai, request, ier) bind(C, name='fmpl_irecv_section')
            import
            type(section), intent(in) :: place
            integer(c_int), value :: src, mai
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_sendbuff_set(buf, size, ipara, ier) bind(C, name='fmpl_sendbuff_set')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: ipara
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_bcast(buf, size, root, comm, ier) bind(C, name='fmpl_bcast')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_hbcast(buf, size, root, ier) bind(C, name='fmpl_hbcast')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: root
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_reduce(buf, count, func, root, comm, work, ier) bind(C, name='fmpl_reduce')
            import
            type(c_ptr), value :: buf, work
            integer(c_size_t), value :: count
            integer(c_int), value :: func, root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_allreduce(buf, count, func, comm, work, ier) bind(C, name='fmpl_allreduce')
            import
            type(c_ptr), value :: buf, work
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_gather(in, size, out, root, comm, ier) bind(C, name='fmpl_gather')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_scatter(in, out, size, root, comm, ier) bind(C, name='fmpl_scatter')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_allgather(in, size, out, comm, ier) bind(C, name='fmpl_allgather')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_alltoall(in, out, size, comm, ier) bind(C, name='fmpl_alltoall')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_reduce_scatter(in, out, count, func, comm, ier) bind(C, &
            name='fmpl_reduce_scatter')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_scan(in, out, count, func, comm, ier) bind(C, name='fmpl_scan')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_exscan(in, out, count, func, comm, ier) bind(C, name='fmpl_exscan')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_gatherv(in, size, out, sizes, offsets, root, comm, ier) bind(C, &
            name='fmpl_gatherv')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_gatherv_4(in, size, out, sizes, offsets, root, comm, ier) bind(C, &
            name='fmpl_gatherv_')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), intent(in) :: size, root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_scatterv(in, sizes, offsets, out, size, root, comm, ier) bind(C, &
            name='fmpl_scatterv')
            import
            type(c_ptr), value :: in, sizes, offsets, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_scatterv_4(in, sizes, offsets, out, size, root, comm, ier) bind(C, &
            name='fmpl_scatterv_')
            import
            type(c_ptr), value :: in, sizes, offsets, out
            integer(c_int), intent(in) :: size, root, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_allgatherv(in, out, sizes, offsets, comm, ier) bind(C, name='fmpl_allgatherv')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), value :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_allgatherv_4(in, out, sizes, offsets, comm, ier) bind(C, &
            name='fmpl_allgatherv_')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), intent(in) :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_alltoallv(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, &
            ier) bind(C, name='fmpl_alltoallv')
            import
            type(c_ptr), value :: in, in_sizes, in_offsets, out, out_sizes, out_offsets
            integer(c_int), value :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_alltoallv_4(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, &
            ier) bind(C, name='fmpl_alltoallv_')
            import
            type(c_ptr), value :: in, in_sizes, in_offsets, out, out_sizes, out_offsets
            integer(c_int), intent(in) :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_reduce_scatterv(in, out, counts, func, comm, ier) bind(C, &
            name='fmpl_reduce_scatterv')
            import
            type(c_ptr), value :: in, out, counts
            integer(c_int), value :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_reduce_scatterv_4(in, out, counts, func, comm, ier) bind(C, &
            name='fmpl_reduce_scatterv_')
            import
            type(c_ptr), value :: in, out, counts
            integer(c_int), intent(in) :: func, comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ibcast(buf, size, root, comm, request, ier) bind(C, name='fmpl_ibcast')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ireduce(buf, count, func, root, comm, request, ier) bind(C, &
            name='fmpl_ireduce')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: count
            integer(c_int), value :: func, root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iallreduce(buf, count, func, comm, request, ier) bind(C, &
            name='fmpl_iallreduce')
            import
            type(c_ptr), value :: buf
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_igather(in, size, out, root, comm, request, ier) bind(C, name='fmpl_igather')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iscatter(in, out, size, root, comm, request, ier) bind(C, name='fmpl_iscatter')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iallgather(in, size, out, comm, request, ier) bind(C, name='fmpl_iallgather')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ialltoall(in, out, size, comm, request, ier) bind(C, name='fmpl_ialltoall')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: size
            integer(c_int), value :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ireduce_scatter(in, out, count, func, comm, request, ier) bind(C, &
            name='fmpl_ireduce_scatter')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iscan(in, out, count, func, comm, request, ier) bind(C, name='fmpl_iscan')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iexscan(in, out, count, func, comm, request, ier) bind(C, name='fmpl_iexscan')
            import
            type(c_ptr), value :: in, out
            integer(c_size_t), value :: count
            integer(c_int), value :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_igatherv(in, size, out, sizes, offsets, root, comm, request, ier) bind(C, &
            name='fmpl_igatherv')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_igatherv_4(in, size, out, sizes, offsets, root, comm, request, ier) bind(C, &
            name='fmpl_igatherv_')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), intent(in) :: size, root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iscatterv(in, sizes, offsets, out, size, root, comm, request, ier) bind(C, &
            name='fmpl_iscatterv')
            import
            type(c_ptr), value :: in, sizes, offsets, out
            integer(c_size_t), value :: size
            integer(c_int), value :: root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iscatterv_4(in, sizes, offsets, out, size, root, comm, request, ier) bind(C, &
            name='fmpl_iscatterv_')
            import
            type(c_ptr), value :: in, sizes, offsets, out
            integer(c_int), intent(in) :: size, root, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iallgatherv(in, out, sizes, offsets, comm, request, ier) bind(C, &
            name='fmpl_iallgatherv')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), value :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_iallgatherv_4(in, out, sizes, offsets, comm, request, ier) bind(C, &
            name='fmpl_iallgatherv_')
            import
            type(c_ptr), value :: in, out, sizes, offsets
            integer(c_int), intent(in) :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ialltoallv(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, &
            request, ier) bind(C, name='fmpl_ialltoallv')
            import
            type(c_ptr), value :: in, in_sizes, in_offsets, out, out_sizes, out_offsets
            integer(c_int), value :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ialltoallv_4(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, &
            request, ier) bind(C, name='fmpl_ialltoallv_')
            import
            type(c_ptr), value :: in, in_sizes, in_offsets, out, out_sizes, out_offsets
            integer(c_int), intent(in) :: comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ireduce_scatterv(in, out, counts, func, comm, request, ier) bind(C, &
            name='fmpl_ireduce_scatterv')
            import
            type(c_ptr), value :: in, out, counts
            integer(c_int), value :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine c_ireduce_scatterv_4(in, out, counts, func, comm, request, ier) bind(C, &
            name='fmpl_ireduce_scatterv_')
            import
            type(c_ptr), value :: in, out, counts
            integer(c_int), intent(in) :: func, comm
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
    end interface
end module

module fmpl
    use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_int, c_int32_t, c_int64_t, &
        c_loc, c_null_ptr, c_ptr, c_size_t
    use fmpl_c
    implicit none
    private :: c_associated, c_double, c_int, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr
    private :: c_size_t
    include 'fmpl.fh'
    target :: FMPL_NULL
    integer(FMPL_LONG_KIND), target, save :: FMPL_NULL_LONG = 0

    ! ---- what takes no buffers ----

    interface
        subroutine hayate_init(ier)
            import
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine hayate_finalize(ier)
            import
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine hayate_rank(rank, ier)
            import
            integer(c_int), intent(out) :: rank, ier
        end subroutine
        subroutine hayate_size(size, ier)
            import
            integer(c_int), intent(out) :: size, ier
        end subroutine
        subroutine hayate_alloc(address, bytes, ier)
            import
            type(c_ptr), intent(out) :: address
            integer(c_int64_t), intent(in) :: bytes
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine hayate_free(address, ier)
            import
            type(c_ptr), intent(in) :: address
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine hayate_version(text)
            import
            character(len=*), intent(out) :: text
        end subroutine
        subroutine hayate_strerror(code, text)
            import
            integer(c_int), intent(in) :: code
            character(len=*), intent(out) :: text
        end subroutine
        subroutine hayate_error(text)
            import
            character(len=*), intent(out) :: text
        end subroutine
        subroutine hayate_error_peer(peer)
            import
            integer(c_int), intent(out) :: peer
        end subroutine
        subroutine fmpl_finalize(ier)
            import
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_wait_isend(request, ier)
            import
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_wait_irecv(request, ier)
            import
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_wait(request, ier)
            import
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_test(request, done, ier)
            import
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: done, ier
        end subroutine
        subroutine fmpl_wait_any(n, requests, index, ier)
            import
            integer(c_int), intent(in) :: n
            integer(c_int64_t), intent(inout) :: requests(*)
            integer(c_int), intent(out) :: index, ier
        end subroutine
        subroutine fmpl_wait_all(n, requests, ier)
            import
            integer(c_int), intent(in) :: n
            integer(c_int64_t), intent(inout) :: requests(*)
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_cancel(request, cancelled, ier)
            import
            integer(c_int64_t), intent(inout) :: request
            integer(c_int), intent(out) :: cancelled, ier
        end subroutine
        subroutine fmpl_sendbuff_check(nsend, nspool, ier)
            import
            integer(c_int), intent(out) :: nsend, nspool, ier
        end subroutine
        subroutine fmpl_trim(bytes, ier)
            import
            integer(c_int64_t), intent(out) :: bytes
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_comm_create(comm, key, ier)
            import
            integer(c_int), intent(out) :: comm, ier
            integer(c_int), intent(in) :: key
        end subroutine
        subroutine fmpl_comm_split(comm, color, key, part, ier)
            import
            integer(c_int), intent(in) :: comm, color, key
            integer(c_int), intent(out) :: part, ier
        end subroutine
        subroutine fmpl_comm_free(comm, ier)
            import
            integer(c_int), intent(inout) :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_comm_rank(comm, rank, ier)
            import
            integer(c_int), intent(in) :: comm
            integer(c_int), intent(out) :: rank, ier
        end subroutine
        subroutine fmpl_comm_size(comm, size, ier)
            import
            integer(c_int), intent(in) :: comm
            integer(c_int), intent(out) :: size, ier
        end subroutine
        subroutine fmpl_function_create(function, element_bytes, op, ier)
            import
            external :: function
            integer(c_int), intent(in) :: element_bytes
            integer(c_int), intent(out) :: op, ier
        end subroutine
        subroutine fmpl_function_free(op, ier)
            import
            integer(c_int), intent(in) :: op
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_barrier(comm, ier)
            import
            integer(c_int), intent(in) :: comm
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_ibarrier(comm, request, ier)
            import
            integer(c_int), intent(in) :: comm
            integer(c_int64_t), intent(out) :: request
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_timeout_set(timeout_ms, ier)
            import
            integer(c_int), intent(in) :: timeout_ms
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_breakdown_set(on, ier)
            import
            integer(c_int), intent(in) :: on
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_breakdown_get(times, samples, ier)
            import
            real(c_double), intent(out) :: times(6)
            integer(c_int64_t), intent(out) :: samples
            integer(c_int), intent(out) :: ier
        end subroutine
        subroutine fmpl_not_contiguous(ier)
            import
            integer(c_int), intent(out) :: ier
        end subroutine
    end interface

    ! ---- what takes buffers: sizes of both kinds ----

    interface fmpl_send
        module procedure send_4, send_8
    end interface
    interface fmpl_recv
        module procedure recv_4, recv_8
    end interface
    interface fmpl_recv_size
        module procedure recv_size_4, recv_size_8
    end interface
    interface fmpl_isend
        module procedure isend_4, isend_8
    end interface
    interface fmpl_irecv
        module procedure irecv_4, irecv_8
    end interface
    interface fmpl_sendbuff_set
        module procedure sendbuff_set_4, sendbuff_set_8
    end interface
    interface fmpl_send_section
        module procedure send_section_4, send_section_8
    end interface
    interface fmpl_recv_section
        module procedure recv_section_4, recv_section_8
    end interface
    interface fmpl_isend_section
        module procedure isend_section_4, isend_section_8
    end interface
    interface fmpl_irecv_section
        module procedure irecv_section_4, irecv_section_8
    end interface
    interface fmpl_bcast
        module procedure bcast_4, bcast_8
    end interface
    interface fmpl_hbcast
        module procedure hbcast_4, hbcast_8
    end interface
    interface fmpl_reduce
        module procedure reduce_4, reduce_8
    end interface
    interface fmpl_allreduce
        module procedure allreduce_4, allreduce_8
    end interface
    interface fmpl_gather
        module procedure gather_4, gather_8
    end interface
    interface fmpl_scatter
        module procedure scatter_4, scatter_8
    end interface
    interface fmpl_allgather
        module procedure allgather_4, allgather_8
    end interface
    interface fmpl_alltoall
        module procedure alltoall_4, alltoall_8
    end interface
    interface fmpl_reduce_scatter
        module procedure reduce_scatter_4, reduce_scatter_8
    end interface
    interface fmpl_scan
        module procedure scan_4, scan_8
    end interface
    interface fmpl_exscan
        module procedure exscan_4, exscan_8
    end interface
    interface fmpl_gatherv
        module procedure gatherv_4, gatherv_8
    end interface
    interface fmpl_scatterv
        module procedure scatterv_4, scatterv_8
    end interface
    interface fmpl_allgatherv
        module procedure allgatherv_4, allgatherv_8
    end interface
    interface fmpl_alltoallv
        module procedure alltoallv_4, alltoallv_8
    end interface
    interface fmpl_reduce_scatterv
        module procedure reduce_scatterv_4, reduce_scatterv_8
    end interface
    interface fmpl_ibcast
        module procedure ibcast_4, ibcast_8
    end interface
    interface fmpl_ireduce
        module procedure ireduce_4, ireduce_8
    end interface
    interface fmpl_iallreduce
        module procedure iallreduce_4, iallreduce_8
    end interface
    interface fmpl_igather
        module procedure igather_4, igather_8
    end interface
    interface fmpl_iscatter
        module procedure iscatter_4, iscatter_8
    end interface
    interface fmpl_iallgather
        module procedure iallgather_4, iallgather_8
    end interface
    interface fmpl_ialltoall
        module procedure ialltoall_4, ialltoall_8
    end interface
    interface fmpl_ireduce_scatter
        module procedure ireduce_scatter_4, ireduce_scatter_8
    end interface
    interface fmpl_iscan
        module procedure iscan_4, iscan_8
    end interface
    interface fmpl_iexscan
        module procedure iexscan_4, iexscan_8
    end interface
    interface fmpl_igatherv
        module procedure igatherv_4, igatherv_8
    end interface
    interface fmpl_iscatterv
        module procedure iscatterv_4, iscatterv_8
    end interface
    interface fmpl_iallgatherv
        module procedure iallgatherv_4, iallgatherv_8
    end interface
    interface fmpl_ialltoallv
        module procedure ialltoallv_4, ialltoallv_8
    end interface
    interface fmpl_ireduce_scatterv
        module procedure ireduce_scatterv_4, ireduce_scatterv_8
    end interface

    private :: section, fmpl_not_contiguous, usable, both_usable, memory_of
    private :: address_of, section_of, c_init
    private :: c_send, send_4, send_8
    private :: c_recv, recv_4, recv_8
    private :: c_recv_size, recv_size_4, recv_size_8
    private :: c_isend, isend_4, isend_8
    private :: c_irecv, irecv_4, irecv_8
    private :: c_sendbuff_set, sendbuff_set_4, sendbuff_set_8
    private :: c_send_section, send_section_4, send_section_8
    private :: c_recv_section, recv_section_4, recv_section_8
    private :: c_isend_section, isend_section_4, isend_section_8
    private :: c_irecv_section, irecv_section_4, irecv_section_8
    private :: c_bcast, bcast_4, bcast_8
    private :: c_hbcast, hbcast_4, hbcast_8
    private :: c_reduce, reduce_4, reduce_8
    private :: c_allreduce, allreduce_4, allreduce_8
    private :: c_gather, gather_4, gather_8
    private :: c_scatter, scatter_4, scatter_8
    private :: c_allgather, allgather_4, allgather_8
    private :: c_alltoall, alltoall_4, alltoall_8
    private :: c_reduce_scatter, reduce_scatter_4, reduce_scatter_8
    private :: c_scan, scan_4, scan_8
    private :: c_exscan, exscan_4, exscan_8
    private :: c_gatherv, c_gatherv_4, gatherv_4, gatherv_8
    private :: c_scatterv, c_scatterv_4, scatterv_4, scatterv_8
    private :: c_allgatherv, c_allgatherv_4, allgatherv_4, allgatherv_8
    private :: c_alltoallv, c_alltoallv_4, alltoallv_4, alltoallv_8
    private :: c_reduce_scatterv, c_reduce_scatterv_4, reduce_scatterv_4, reduce_scatterv_8
    private :: c_ibcast, ibcast_4, ibcast_8
    private :: c_ireduce, ireduce_4, ireduce_8
    private :: c_iallreduce, iallreduce_4, iallreduce_8
    private :: c_igather, igather_4, igather_8
    private :: c_iscatter, iscatter_4, iscatter_8
    private :: c_iallgather, iallgather_4, iallgather_8
    private :: c_ialltoall, ialltoall_4, ialltoall_8
    private :: c_ireduce_scatter, ireduce_scatter_4, ireduce_scatter_8
    private :: c_iscan, iscan_4, iscan_8
    private :: c_iexscan, iexscan_4, iexscan_8
    private :: c_igatherv, c_igatherv_4, igatherv_4, igatherv_8
    private :: c_iscatterv, c_iscatterv_4, iscatterv_4, iscatterv_8
    private :: c_iallgatherv, c_iallgatherv_4, iallgatherv_4, iallgatherv_8
    private :: c_ialltoallv, c_ialltoallv_4, ialltoallv_4, ialltoallv_8
    private :: c_ireduce_scatterv, c_ireduce_scatterv_4, ireduce_scatterv_4, ireduce_scatterv_8

contains

    ! An array section with gaps would need a copy, which is gone before a request is complete.
    logical function usable(buf, ier)
        type(*), dimension(..), intent(in) :: buf
        integer(c_int), intent(out) :: ier
        usable = is_contiguous(buf)
        ier = FMPL_SUCCESS
        if (.not. usable) call fmpl_not_contiguous(ier)
    end function

    logical function both_usable(one, other, ier)
        type(*), dimension(..), intent(in) :: one, other
        integer(c_int), intent(out) :: ier
        both_usable = usable(one, ier)
        if (both_usable) both_usable = usable(other, ier)
    end function

    ! A null pointer for no memory and for no bytes at all.
    type(c_ptr) function memory_of(buf, size)
        type(*), dimension(..), target, intent(in) :: buf
        integer(c_int64_t), intent(in) :: size
        memory_of = merge(c_null_ptr, address_of(buf), size == 0)
    end function

    ! A null pointer for FMPL_NULL.
    type(c_ptr) function address_of(buf)
        type(*), dimension(..), target, intent(in) :: buf
        address_of = c_loc(buf)
        if (c_associated(address_of, c_loc(FMPL_NULL)) .or. &
            c_associated(address_of, c_loc(FMPL_NULL_LONG))) address_of = c_null_ptr
    end function

    type(section) function section_of(address, block, stride, count)
        type(c_ptr), intent(in) :: address
        integer(c_int64_t), intent(in) :: block, stride, count
        section_of = section(address, int(block, c_size_t), int(stride, c_size_t), &
            int(count, c_size_t))
    end function

    subroutine fmpl_init(ma, fa, count, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: ma, fa
        integer(c_int), intent(in) :: count
        integer(c_int), intent(out) :: ier
        if (.not. usable(ma, ier)) return
        if (usable(fa, ier)) call c_init(memory_of(ma, 1_c_int64_t), memory_of(fa, 1_c_int64_t), &
            count, ier)
    end subroutine

    ! ---- messages ----

    subroutine send_4(buf, size, dst, mai, ier)
        type(*), dimension(..), target, intent(in) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: dst, mai
        integer(c_int), intent(out) :: ier
        call send_8(buf, int(size, c_int64_t), dst, mai, ier)
    end subroutine

    subroutine send_8(buf, size, dst, mai, ier)
        type(*), dimension(..), target, intent(in) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: dst, mai
        integer(c_int), intent(out) :: ier
        if (usable(buf, ier)) call c_send(c_loc(buf), int(size, c_size_t), dst, mai, ier)
    end subroutine

    subroutine recv_4(buf, size, src, mai, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int), intent(out) :: ier
        call recv_8(buf, int(size, c_int64_t), src, mai, ier)
    end subroutine

    subroutine recv_8(buf, size, src, mai, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int), intent(out) :: ier
        if (usable(buf, ier)) call c_recv(c_loc(buf), int(size, c_size_t), src, mai, ier)
    end subroutine

    subroutine recv_size_4(buf, size, src, mai, received, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int32_t), intent(out) :: received
        integer(c_int), intent(out) :: ier
        integer(c_int64_t) :: length
        call recv_size_8(buf, int(size, c_int64_t), src, mai, length, ier)
        received = int(min(length, int(huge(received), c_int64_t)), c_int32_t)
    end subroutine

    subroutine recv_size_8(buf, size, src, mai, received, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: received
        integer(c_int), intent(out) :: ier
        received = 0
        if (usable(buf, ier)) &
            call c_recv_size(c_loc(buf), int(size, c_size_t), src, mai, received, ier)
    end subroutine

    subroutine isend_4(buf, size, dst, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: dst, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call isend_8(buf, int(size, c_int64_t), dst, mai, request, ier)
    end subroutine

    subroutine isend_8(buf, size, dst, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: dst, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (usable(buf, ier)) &
            call c_isend(c_loc(buf), int(size, c_size_t), dst, mai, request, ier)
    end subroutine

    subroutine irecv_4(buf, size, src, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call irecv_8(buf, int(size, c_int64_t), src, mai, request, ier)
    end subroutine

    subroutine irecv_8(buf, size, src, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (usable(buf, ier)) &
            call c_irecv(c_loc(buf), int(size, c_size_t), src, mai, request, ier)
    end subroutine

    subroutine sendbuff_set_4(buf, size, ipara, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: ipara
        integer(c_int), intent(out) :: ier
        call sendbuff_set_8(buf, int(size, c_int64_t), ipara, ier)
    end subroutine

    subroutine sendbuff_set_8(buf, size, ipara, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: ipara
        integer(c_int), intent(out) :: ier
        if (usable(buf, ier)) &
            call c_sendbuff_set(memory_of(buf, size), int(size, c_size_t), ipara, ier)
    end subroutine

    ! ---- sections ----

    subroutine send_section_4(buf, block, stride, count, dst, mai, ier)
        type(*), dimension(..), target, intent(in) :: buf
        integer(c_int32_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: dst, mai
        integer(c_int), intent(out) :: ier
        call send_section_8(buf, int(block, c_int64_t), int(stride, c_int64_t), int(count, &
            c_int64_t), dst, mai, ier)
    end subroutine

    subroutine send_section_8(buf, block, stride, count, dst, mai, ier)
        type(*), dimension(..), target, intent(in) :: buf
        integer(c_int64_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: dst, mai
        integer(c_int), intent(out) :: ier
        call c_send_section(section_of(c_loc(buf), block, stride, count), dst, mai, ier)
    end subroutine

    subroutine recv_section_4(buf, block, stride, count, src, mai, received, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: src, mai
        integer(c_int32_t), intent(out) :: received
        integer(c_int), intent(out) :: ier
        integer(c_int64_t) :: length
        call recv_section_8(buf, int(block, c_int64_t), int(stride, c_int64_t), int(count, &
            c_int64_t), src, mai, length, ier)
        received = int(min(length, int(huge(received), c_int64_t)), c_int32_t)
    end subroutine

    subroutine recv_section_8(buf, block, stride, count, src, mai, received, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: received
        integer(c_int), intent(out) :: ier
        received = 0
        call c_recv_section(section_of(c_loc(buf), block, stride, count), src, mai, received, ier)
    end subroutine

    subroutine isend_section_4(buf, block, stride, count, dst, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: buf
        integer(c_int32_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: dst, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call isend_section_8(buf, int(block, c_int64_t), int(stride, c_int64_t), int(count, &
            c_int64_t), dst, mai, request, ier)
    end subroutine

    subroutine isend_section_8(buf, block, stride, count, dst, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: buf
        integer(c_int64_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: dst, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        call c_isend_section(section_of(c_loc(buf), block, stride, count), dst, mai, request, ier)
    end subroutine

    subroutine irecv_section_4(buf, block, stride, count, src, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call irecv_section_8(buf, int(block, c_int64_t), int(stride, c_int64_t), int(count, &
            c_int64_t), src, mai, request, ier)
    end subroutine

    subroutine irecv_section_8(buf, block, stride, count, src, mai, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: block, stride, count
        integer(c_int), intent(in) :: src, mai
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        call c_irecv_section(section_of(c_loc(buf), block, stride, count), src, mai, request, ier)
    end subroutine

    ! ---- collectives ----

    subroutine bcast_4(buf, size, root, comm, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        call bcast_8(buf, int(size, c_int64_t), root, comm, ier)
    end subroutine

    subroutine bcast_8(buf, size, root, comm, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (usable(buf, ier)) call c_bcast(c_loc(buf), int(size, c_size_t), root, comm, ier)
    end subroutine

    subroutine hbcast_4(buf, size, root, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root
        integer(c_int), intent(out) :: ier
        call hbcast_8(buf, int(size, c_int64_t), root, ier)
    end subroutine

    subroutine hbcast_8(buf, size, root, ier)
        type(*), dimension(..), target, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root
        integer(c_int), intent(out) :: ier
        if (usable(buf, ier)) call c_hbcast(c_loc(buf), int(size, c_size_t), root, ier)
    end subroutine

    subroutine reduce_4(buf, count, func, root, comm, work, ier)
        type(*), dimension(..), target, intent(inout) :: buf, work
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, root, comm
        integer(c_int), intent(out) :: ier
        call reduce_8(buf, int(count, c_int64_t), func, root, comm, work, ier)
    end subroutine

    subroutine reduce_8(buf, count, func, root, comm, work, ier)
        type(*), dimension(..), target, intent(inout) :: buf, work
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, root, comm
        integer(c_int), intent(out) :: ier
        if (.not. usable(buf, ier)) return
        if (usable(work, ier)) call c_reduce(c_loc(buf), int(count, c_size_t), func, root, comm, &
            memory_of(work, count), ier)
    end subroutine

    subroutine allreduce_4(buf, count, func, comm, work, ier)
        type(*), dimension(..), target, intent(inout) :: buf, work
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        call allreduce_8(buf, int(count, c_int64_t), func, comm, work, ier)
    end subroutine

    subroutine allreduce_8(buf, count, func, comm, work, ier)
        type(*), dimension(..), target, intent(inout) :: buf, work
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (.not. usable(buf, ier)) return
        if (usable(work, ier)) call c_allreduce(c_loc(buf), int(count, c_size_t), func, comm, &
            memory_of(work, count), ier)
    end subroutine

    ! ---- collectives with separate input and output ----

    subroutine gather_4(in, size, out, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        call gather_8(in, int(size, c_int64_t), out, root, comm, ier)
    end subroutine

    subroutine gather_8(in, size, out, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_gather(address_of(in), int(size, c_size_t), address_of(out), root, comm, ier)
    end subroutine

    subroutine scatter_4(in, out, size, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        call scatter_8(in, out, int(size, c_int64_t), root, comm, ier)
    end subroutine

    subroutine scatter_8(in, out, size, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_scatter(address_of(in), address_of(out), int(size, c_size_t), root, comm, ier)
    end subroutine

    subroutine allgather_4(in, size, out, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        call allgather_8(in, int(size, c_int64_t), out, comm, ier)
    end subroutine

    subroutine allgather_8(in, size, out, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_allgather(address_of(in), int(size, c_size_t), address_of(out), comm, ier)
    end subroutine

    subroutine alltoall_4(in, out, size, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        call alltoall_8(in, out, int(size, c_int64_t), comm, ier)
    end subroutine

    subroutine alltoall_8(in, out, size, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_alltoall(address_of(in), address_of(out), int(size, c_size_t), comm, ier)
    end subroutine

    subroutine reduce_scatter_4(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        call reduce_scatter_8(in, out, int(count, c_int64_t), func, comm, ier)
    end subroutine

    subroutine reduce_scatter_8(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_reduce_scatter(address_of(in), address_of(out), int(count, c_size_t), func, &
                comm, ier)
    end subroutine

    subroutine scan_4(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        call scan_8(in, out, int(count, c_int64_t), func, comm, ier)
    end subroutine

    subroutine scan_8(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_scan(address_of(in), address_of(out), int(count, c_size_t), func, comm, ier)
    end subroutine

    subroutine exscan_4(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        call exscan_8(in, out, int(count, c_int64_t), func, comm, ier)
    end subroutine

    subroutine exscan_8(in, out, count, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (both_usable(in, out, ier)) &
            call c_exscan(address_of(in), address_of(out), int(count, c_size_t), func, comm, ier)
    end subroutine

    subroutine gatherv_4(in, size, out, sizes, offsets, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_gatherv_4(address_of(in), size, address_of(out), address_of(sizes), &
                address_of(offsets), root, comm, ier)
    end subroutine

    subroutine gatherv_8(in, size, out, sizes, offsets, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_gatherv(address_of(in), int(size, c_size_t), address_of(out), &
                address_of(sizes), address_of(offsets), root, comm, ier)
    end subroutine

    subroutine scatterv_4(in, sizes, offsets, out, size, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_scatterv_4(address_of(in), address_of(sizes), address_of(offsets), &
                address_of(out), size, root, comm, ier)
    end subroutine

    subroutine scatterv_8(in, sizes, offsets, out, size, root, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_scatterv(address_of(in), address_of(sizes), address_of(offsets), &
                address_of(out), int(size, c_size_t), root, comm, ier)
    end subroutine

    subroutine allgatherv_4(in, out, sizes, offsets, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_allgatherv_4(address_of(in), address_of(out), address_of(sizes), &
                address_of(offsets), comm, ier)
    end subroutine

    subroutine allgatherv_8(in, out, sizes, offsets, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) &
            call c_allgatherv(address_of(in), address_of(out), address_of(sizes), &
                address_of(offsets), comm, ier)
    end subroutine

    subroutine alltoallv_4(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: in_sizes, in_offsets, out_sizes, &
            out_offsets
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (.not. both_usable(in_sizes, in_offsets, ier)) return
        if (both_usable(out_sizes, out_offsets, ier)) &
            call c_alltoallv_4(address_of(in), address_of(in_sizes), address_of(in_offsets), &
                address_of(out), address_of(out_sizes), address_of(out_offsets), comm, ier)
    end subroutine

    subroutine alltoallv_8(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: in_sizes, in_offsets, out_sizes, &
            out_offsets
        integer(c_int), intent(in) :: comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (.not. both_usable(in_sizes, in_offsets, ier)) return
        if (both_usable(out_sizes, out_offsets, ier)) &
            call c_alltoallv(address_of(in), address_of(in_sizes), address_of(in_offsets), &
                address_of(out), address_of(out_sizes), address_of(out_offsets), comm, ier)
    end subroutine

    subroutine reduce_scatterv_4(in, out, counts, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: counts
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (usable(counts, ier)) &
            call c_reduce_scatterv_4(address_of(in), address_of(out), address_of(counts), func, &
                comm, ier)
    end subroutine

    subroutine reduce_scatterv_8(in, out, counts, func, comm, ier)
        type(*), dimension(..), target, intent(in) :: in
        type(*), dimension(..), target, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: counts
        integer(c_int), intent(in) :: func, comm
        integer(c_int), intent(out) :: ier
        if (.not. both_usable(in, out, ier)) return
        if (usable(counts, ier)) &
            call c_reduce_scatterv(address_of(in), address_of(out), address_of(counts), func, &
                comm, ier)
    end subroutine

    ! ---- non-blocking collectives ----

    subroutine ibcast_4(buf, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call ibcast_8(buf, int(size, c_int64_t), root, comm, request, ier)
    end subroutine

    subroutine ibcast_8(buf, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (usable(buf, ier)) call c_ibcast(c_loc(buf), int(size, c_size_t), root, comm, request, &
            ier)
    end subroutine

    subroutine ireduce_4(buf, count, func, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call ireduce_8(buf, int(count, c_int64_t), func, root, comm, request, ier)
    end subroutine

    subroutine ireduce_8(buf, count, func, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (usable(buf, ier)) call c_ireduce(c_loc(buf), int(count, c_size_t), func, root, comm, &
            request, ier)
    end subroutine

    subroutine iallreduce_4(buf, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call iallreduce_8(buf, int(count, c_int64_t), func, comm, request, ier)
    end subroutine

    subroutine iallreduce_8(buf, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(inout) :: buf
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (usable(buf, ier)) call c_iallreduce(c_loc(buf), int(count, c_size_t), func, comm, &
            request, ier)
    end subroutine

    subroutine igather_4(in, size, out, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call igather_8(in, int(size, c_int64_t), out, root, comm, request, ier)
    end subroutine

    subroutine igather_8(in, size, out, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_igather(address_of(in), int(size, c_size_t), &
            address_of(out), root, comm, request, ier)
    end subroutine

    subroutine iscatter_4(in, out, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call iscatter_8(in, out, int(size, c_int64_t), root, comm, request, ier)
    end subroutine

    subroutine iscatter_8(in, out, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_iscatter(address_of(in), address_of(out), int(size, &
            c_size_t), root, comm, request, ier)
    end subroutine

    subroutine iallgather_4(in, size, out, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call iallgather_8(in, int(size, c_int64_t), out, comm, request, ier)
    end subroutine

    subroutine iallgather_8(in, size, out, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_iallgather(address_of(in), int(size, c_size_t), &
            address_of(out), comm, request, ier)
    end subroutine

    subroutine ialltoall_4(in, out, size, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call ialltoall_8(in, out, int(size, c_int64_t), comm, request, ier)
    end subroutine

    subroutine ialltoall_8(in, out, size, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_ialltoall(address_of(in), address_of(out), &
            int(size, c_size_t), comm, request, ier)
    end subroutine

    subroutine ireduce_scatter_4(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call ireduce_scatter_8(in, out, int(count, c_int64_t), func, comm, request, ier)
    end subroutine

    subroutine ireduce_scatter_8(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_ireduce_scatter(address_of(in), address_of(out), &
            int(count, c_size_t), func, comm, request, ier)
    end subroutine

    subroutine iscan_4(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call iscan_8(in, out, int(count, c_int64_t), func, comm, request, ier)
    end subroutine

    subroutine iscan_8(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_iscan(address_of(in), address_of(out), int(count, &
            c_size_t), func, comm, request, ier)
    end subroutine

    subroutine iexscan_4(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        call iexscan_8(in, out, int(count, c_int64_t), func, comm, request, ier)
    end subroutine

    subroutine iexscan_8(in, out, count, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: count
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (both_usable(in, out, ier)) call c_iexscan(address_of(in), address_of(out), int(count, &
            c_size_t), func, comm, request, ier)
    end subroutine

    subroutine igatherv_4(in, size, out, sizes, offsets, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_igatherv_4(address_of(in), size, &
            address_of(out), address_of(sizes), address_of(offsets), root, comm, request, ier)
    end subroutine

    subroutine igatherv_8(in, size, out, sizes, offsets, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_igatherv(address_of(in), int(size, &
            c_size_t), address_of(out), address_of(sizes), address_of(offsets), root, comm, &
            request, ier)
    end subroutine

    subroutine iscatterv_4(in, sizes, offsets, out, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), intent(in) :: size
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_iscatterv_4(address_of(in), &
            address_of(sizes), address_of(offsets), address_of(out), size, root, comm, request, ier)
    end subroutine

    subroutine iscatterv_8(in, sizes, offsets, out, size, root, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), intent(in) :: size
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: root, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_iscatterv(address_of(in), address_of(sizes), &
            address_of(offsets), address_of(out), int(size, c_size_t), root, comm, request, ier)
    end subroutine

    subroutine iallgatherv_4(in, out, sizes, offsets, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_iallgatherv_4(address_of(in), &
            address_of(out), address_of(sizes), address_of(offsets), comm, request, ier)
    end subroutine

    subroutine iallgatherv_8(in, out, sizes, offsets, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: sizes, offsets
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (both_usable(sizes, offsets, ier)) call c_iallgatherv(address_of(in), address_of(out), &
            address_of(sizes), address_of(offsets), comm, request, ier)
    end subroutine

    subroutine ialltoallv_4(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, request, &
        ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: in_sizes, in_offsets, out_sizes, &
            out_offsets
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (.not. both_usable(in_sizes, in_offsets, ier)) return
        if (both_usable(out_sizes, out_offsets, ier)) call c_ialltoallv_4(address_of(in), &
            address_of(in_sizes), address_of(in_offsets), address_of(out), address_of(out_sizes), &
            address_of(out_offsets), comm, request, ier)
    end subroutine

    subroutine ialltoallv_8(in, in_sizes, in_offsets, out, out_sizes, out_offsets, comm, request, &
        ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: in_sizes, in_offsets, out_sizes, &
            out_offsets
        integer(c_int), intent(in) :: comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (.not. both_usable(in_sizes, in_offsets, ier)) return
        if (both_usable(out_sizes, out_offsets, ier)) call c_ialltoallv(address_of(in), &
            address_of(in_sizes), address_of(in_offsets), address_of(out), address_of(out_sizes), &
            address_of(out_offsets), comm, request, ier)
    end subroutine

    subroutine ireduce_scatterv_4(in, out, counts, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int32_t), dimension(..), target, intent(in) :: counts
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (usable(counts, ier)) call c_ireduce_scatterv_4(address_of(in), address_of(out), &
            address_of(counts), func, comm, request, ier)
    end subroutine

    subroutine ireduce_scatterv_8(in, out, counts, func, comm, request, ier)
        type(*), dimension(..), target, asynchronous, intent(in) :: in
        type(*), dimension(..), target, asynchronous, intent(inout) :: out
        integer(c_int64_t), dimension(..), target, intent(in) :: counts
        integer(c_int), intent(in) :: func, comm
        integer(c_int64_t), intent(out) :: request
        integer(c_int), intent(out) :: ier
        request = FMPL_REQUEST_NULL
        if (.not. both_usable(in, out, ier)) return
        if (usable(counts, ier)) call c_ireduce_scatterv(address_of(in), address_of(out), &
            address_of(counts), func, comm, request, ier)
    end subroutine

end module
