! SPDX-License-Identifier: Apache-2.0
! FMPL from Fortran in the old style: fixed form, no module, calls that nothing checks.
      program oldsty
      implicit none
      include 'fmpl.fh'
      integer rank, size, ier, i, comm, part, op, n, got, done, gone
      integer nsend, nspool, peer
      integer*8 req(2), where, bytes
      double precision a(1000), b(1000), w(1000)
      character*60 text
      external times
      pointer (where, h)
      double precision h(10)
      integer area(1)
      pointer (place, area)
      integer fa(1)
      pointer (flags, fa)
      call hayate_init(ier)
      call check(ier .eq. HAYATE_OK, 'init')
      call hayate_rank(rank, ier)
      call hayate_size(size, ier)
      call check(rank .ge. 0 .and. rank .lt. size, 'rank')
      FMPL_NULL = 4711
! Three ranks have areas of their own
      bytes = 8 * size * FMPL_MATCH_BYTES
      call hayate_alloc(place, bytes, ier)
      call check(ier .eq. HAYATE_OK, 'matching area')
      bytes = 8 * size * FMPL_FLAG_BYTES
      call hayate_alloc(flags, bytes, ier)
      call check(ier .eq. HAYATE_OK, 'flags')
      if (size .eq. 3) call fmpl_init(area, fa, 8, ier)
      if (size .ne. 3) call fmpl_init(FMPL_NULL, FMPL_NULL, 8, ier)
      call check(ier .eq. FMPL_SUCCESS, 'fmpl_init')
      call fmpl_init(FMPL_NULL, FMPL_NULL, 8, ier)
      call check(ier .eq. HAYATE_ERR_STATE, 'fmpl_init twice')
! Around the ring
      peer = mod(rank + 1, size)
      i = mod(rank + size - 1, size)
      do n = 1, 1000
         a(n) = rank * 1000 + n
         b(n) = 0
      end do
      call fmpl_irecv(b, 8000, i, 1, req(1), ier)
      call check(ier .eq. FMPL_SUCCESS, 'irecv')
      call fmpl_isend(a, 8000, peer, 1, req(2), ier)
      call check(ier .eq. FMPL_SUCCESS, 'isend')
      call fmpl_wait_irecv(req(1), ier)
      call check(ier .eq. FMPL_SUCCESS, 'wait_irecv')
      call fmpl_wait_all(2, req, ier)
      call check(ier .eq. FMPL_SUCCESS, 'wait_all')
      call check(b(1) .eq. i * 1000 + 1, 'first')
      call check(b(1000) .eq. i * 1000 + 1000, 'last')
      call check(req(2) .eq. FMPL_REQUEST_NULL, 'null request')
      call fmpl_send(a, 16, peer, 2, ier)
      call check(ier .eq. FMPL_SUCCESS, 'send')
      call fmpl_recv_size(b, 8, i, 2, got, ier)
      call check(ier .eq. HAYATE_ERR_TRUNCATE, 'truncate')
      call check(got .eq. 16, 'length')
      call fmpl_recv(b, 16, i, 2, ier)
      call check(ier .eq. FMPL_SUCCESS, 'recv')
      call check(b(2) .eq. i * 1000 + 2, 'data')
! A row of a matrix of 10 x 100
      call fmpl_isend_section(a(2), 8, 80, 100, peer, 2, req(1), ier)
      call check(ier .eq. FMPL_SUCCESS, 'isend_section')
      call fmpl_recv_section(b(1), 800, 800, 1, i, 2, got, ier)
      call check(ier .eq. FMPL_SUCCESS .and. got .eq. 800, 'section')
      call check(b(100) .eq. i * 1000 + 992, 'row')
      call fmpl_wait_isend(req(1), ier)
      call check(ier .eq. FMPL_SUCCESS, 'wait_isend')
      call fmpl_irecv(b, 8, i, 3, req(1), ier)
      call fmpl_test(req(1), done, ier)
      call check(ier .eq. FMPL_SUCCESS .and. done .eq. 0, 'test')
      call fmpl_cancel(req(1), gone, ier)
      call check(ier .eq. FMPL_SUCCESS .and. gone .eq. 1, 'cancel')
! The send buffer: everybody sends first
      call fmpl_sendbuff_set(w, 8000, 0, ier)
      call check(ier .eq. FMPL_SUCCESS, 'sendbuff_set')
      call fmpl_send(a, 7992, peer, 4, ier)
      call check(ier .eq. FMPL_SUCCESS, 'buffered send')
      call fmpl_irecv(b, 7992, i, 4, req(1), ier)
      nspool = 1
      do while (nspool .gt. 0)
         call fmpl_sendbuff_check(nsend, nspool, ier)
         call check(ier .eq. FMPL_SUCCESS, 'sendbuff_check')
      end do
      call fmpl_wait(req(1), ier)
      call check(b(999) .eq. i * 1000 + 999, 'buffered data')
      call fmpl_sendbuff_set(w, 0, 0, ier)
      call check(ier .eq. FMPL_SUCCESS, 'sendbuff back')
! Errors
      call fmpl_send(a, 8, size, 1, ier)
      call check(ier .eq. HAYATE_ERR_ARGUMENT, 'no such rank')
      call fmpl_irecv(b, -1, i, 5, req(1), ier)
      call check(ier .eq. HAYATE_ERR_ARGUMENT, 'a negative size')
      text = ' '
      call hayate_error(text)
      call check(text .ne. ' ', 'reason')
      call hayate_strerror(HAYATE_ERR_CLOSED, text)
      call check(text .eq. 'closed', 'name of a code')
! Communicators and collectives
      call fmpl_comm_create(comm, 1 - rank / 2, ier)
      call check(ier .eq. FMPL_SUCCESS, 'comm_create')
      call check(comm .eq. FMPL_COMM_NULL .eqv. rank .ge. 2, 'members')
      call fmpl_comm_split(FMPL_COMM_WORLD, 0, size - rank, part, ier)
      call check(ier .eq. FMPL_SUCCESS, 'comm_split')
      call fmpl_comm_rank(part, n, ier)
      call check(n .eq. size - 1 - rank, 'order')
      n = rank
      call fmpl_bcast(n, 4, 0, part, ier)
      call check(ier .eq. FMPL_SUCCESS .and. n .eq. size - 1, 'bcast')
      n = rank + 1
      call fmpl_reduce(n, 1, FMPL_INT_SUM, 0, FMPL_COMM_WORLD,
     &                 FMPL_NULL, ier)
      call check(ier .eq. FMPL_SUCCESS, 'reduce')
      i = rank + 1
      if (rank .eq. 0) i = size * (size + 1) / 2
      call check(n .eq. i, 'sum')
      call check(FMPL_NULL .eq. 4711, 'null is no memory')
      call fmpl_function_create(times, 8, op, ier)
      call check(ier .eq. FMPL_SUCCESS, 'function_create')
      a(1) = 2
      a(2) = 3
      call fmpl_allreduce(a, 2, op, part, w, ier)
      call check(ier .eq. FMPL_SUCCESS, 'allreduce')
      call check(a(1) .eq. 2**size .and. a(2) .eq. 3**size, 'product')
      call fmpl_function_free(op, ier)
      call fmpl_comm_free(part, ier)
      call check(ier .eq. FMPL_SUCCESS, 'comm_free')
      call blocks(rank, size)
      call uneven(rank, size)
! Memory of the heap by a Cray pointer
      bytes = 80
      call hayate_alloc(where, bytes, ier)
      call check(ier .eq. HAYATE_OK, 'alloc')
      h(10) = rank
      call fmpl_hbcast(h, 80, 1, ier)
      call check(h(10) .eq. 1, 'hbcast')
      call hayate_free(where, ier)
      call check(ier .eq. HAYATE_OK, 'free')
      call fmpl_barrier(FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'barrier')
      call fmpl_finalize(ier)
      call hayate_finalize(ier)
      call check(ier .eq. HAYATE_OK, 'finalize')
      end

! Collectives with separate input and output: block i of rank r is
! 10 r + i
      subroutine blocks(rank, size)
      implicit none
      include 'fmpl.fh'
      integer rank, size, ier, i, n, in(0:2), out(0:2)
      do i = 0, size - 1
         in(i) = 10 * rank + i
         out(i) = -1
      end do
      if (rank .eq. 1) call fmpl_gather(in, 4, out, 1,
     &                                  FMPL_COMM_WORLD, ier)
      if (rank .ne. 1) call fmpl_gather(in, 4, FMPL_NULL, 1,
     &                                  FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'gather')
      do i = 0, size - 1
         n = -1
         if (rank .eq. 1) n = 10 * i
         call check(out(i) .eq. n, 'gathered')
      end do
      if (rank .eq. 1) call fmpl_scatter(in, n, 4, 1,
     &                                   FMPL_COMM_WORLD, ier)
      if (rank .ne. 1) call fmpl_scatter(FMPL_NULL, n, 4, 1,
     &                                   FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'scatter')
      call check(n .eq. 10 + rank, 'scattered')
      call fmpl_allgather(in, 4, out, FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'allgather')
      do i = 0, size - 1
         call check(out(i) .eq. 10 * i, 'gathered by all')
      end do
      call fmpl_alltoall(in, out, 4, FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'alltoall')
      do i = 0, size - 1
         call check(out(i) .eq. 10 * i + rank, 'exchanged')
      end do
      call fmpl_reduce_scatter(in, n, 1, FMPL_INT_SUM,
     &                         FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'reduce_scatter')
      call check(n .eq. 5 * size * (size - 1) + size * rank, 'a sum')
      call fmpl_scan(in, out, size, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'scan')
      do i = 0, size - 1
         n = 5 * rank * (rank + 1) + (rank + 1) * i
         call check(out(i) .eq. n, 'sum of scan')
         out(i) = -1
      end do
      call fmpl_exscan(in, out, size, FMPL_INT_SUM, FMPL_COMM_WORLD,
     &                 ier)
      call check(ier .eq. FMPL_SUCCESS, 'exscan')
      do i = 0, size - 1
         n = 5 * rank * (rank - 1) + rank * i
         if (rank .eq. 0) n = -1
         call check(out(i) .eq. n, 'sum of exscan')
      end do
      end

! Blocks of unequal length: 1, 2, 3 elements, at 0, 4, 8 of `apart` and
! at 0, 1, 3 of `close`. Element k of the block of rank r is 10 r + k
      subroutine uneven(rank, size)
      implicit none
      include 'fmpl.fh'
      integer rank, size, ier, i, k, n, bytes, mine(3), apart(0:11)
      integer close(0:8), counts(3), sizes(3), places(3), few(3), in(6)
      data counts, sizes, places /1, 2, 3, 4, 8, 12, 0, 16, 32/
      bytes = sizes(rank + 1)
      do k = 1, 3
         mine(k) = 10 * rank + k
      end do
      do i = 0, 11
         apart(i) = -1
      end do
      if (rank .eq. 0) call fmpl_gatherv(mine, bytes, apart, sizes,
     &   places, 0, FMPL_COMM_WORLD, ier)
      if (rank .ne. 0) call fmpl_gatherv(mine, bytes, FMPL_NULL,
     &   FMPL_NULL, FMPL_NULL, 0, FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'gatherv')
      do i = 0, 4 * size - 1
         n = -1
         if (rank .eq. 0 .and. mod(i, 4) .le. i / 4)
     &      n = 10 * (i / 4) + mod(i, 4) + 1
         call check(apart(i) .eq. n, 'gathered blocks')
      end do
      mine(rank + 1) = 0
      call fmpl_scatterv(apart, sizes, places, mine, bytes, 0,
     &                   FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'scatterv')
      call check(mine(rank + 1) .eq. 11 * rank + 1, 'scattered block')
      call fmpl_allgatherv(mine, close, sizes, FMPL_NULL,
     &                     FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'allgatherv')
      do i = 0, size - 1
         do k = 1, i + 1
            n = close(i * (i + 1) / 2 + k - 1)
            call check(n .eq. 10 * i + k, 'blocks on all ranks')
         end do
      end do
! Rank r gets r + 1 elements of each rank
      do i = 0, 4 * size - 1
         apart(i) = 100 * rank + 10 * (i / 4) + mod(i, 4)
      end do
      do i = 1, 3
         few(i) = bytes
      end do
      call fmpl_alltoallv(apart, sizes, places, close, few, FMPL_NULL,
     &                    FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'alltoallv')
      do i = 0, size * (rank + 1) - 1
         n = 100 * (i / (rank + 1)) + 10 * rank + mod(i, rank + 1)
         call check(close(i) .eq. n, 'exchanged blocks')
      end do
      do k = 1, 6
         in(k) = rank + 10 * k
      end do
      call fmpl_reduce_scatterv(in, mine, counts, FMPL_INT_SUM,
     &                          FMPL_COMM_WORLD, ier)
      call check(ier .eq. FMPL_SUCCESS, 'reduce_scatterv')
      do k = 1, rank + 1
         n = size * (size - 1) / 2
     &       + 10 * size * (rank * (rank + 1) / 2 + k)
         call check(mine(k) .eq. n, 'sums of blocks')
      end do
      sizes(2) = -4
      call fmpl_allgatherv(mine, close, sizes, FMPL_NULL,
     &                     FMPL_COMM_WORLD, ier)
      call check(ier .eq. HAYATE_ERR_ARGUMENT, 'a negative block')
      end

      subroutine times(inout, in, count)
      integer count, i
      double precision inout(*), in(*)
      do i = 1, count
         inout(i) = inout(i) * in(i)
      end do
      end

      subroutine check(good, what)
      logical good
      character*(*) what
      character*200 reason
      if (.not. good) then
         call hayate_error(reason)
         print *, what, ': ', reason
         stop 1
      end if
      end
