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
        ! generate bindings
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

    ! generate generics

    private :: section, fmpl_not_contiguous, usable, memory_of
    private :: address_of, section_of, c_init

contains

    ! An array section with gaps would need a copy, which is gone before a request is complete.
    logical function usable(buf, ier)
        type(*), dimension(..), intent(in) :: buf
        integer(c_int), intent(out) :: ier
        usable = is_contiguous(buf)
        ier = FMPL_SUCCESS
        if (.not. usable) call fmpl_not_contiguous(ier)
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

    ! generate procedures
end module
