! SPDX-License-Identifier: Apache-2.0
! FMPL from Fortran, with the module: messages, requests, communicators and collectives on two or
! three ranks. Rank 0 and 1 exchange messages; all take part in the collectives.
module operations
    use fmpl
    use, intrinsic :: iso_c_binding
    implicit none
    integer :: rank, size, ier

contains

    subroutine check(condition, what)
        logical, intent(in) :: condition
        character(len=*), intent(in) :: what
        character(len=200) :: reason
        if (condition) return
        call hayate_error(reason)
        print *, 'rank', rank, ': ', what, ': ier', ier, trim(reason)
        error stop 1
    end subroutine

    subroutine ok(what)
        character(len=*), intent(in) :: what
        call check(ier == FMPL_SUCCESS, what)
    end subroutine

    subroutine multiply(inout, in, count)
        integer(c_int64_t), intent(in) :: count
        real(8), intent(inout) :: inout(*)
        real(8), intent(in) :: in(*)
        inout(1:count) = inout(1:count) * in(1:count)
    end subroutine

    ! ---- messages of rank 0 to rank 1 ----

    subroutine blocking()
        real(8) :: a(4, 3), one
        integer :: received
        integer(8) :: long
        character(len=5) :: text
        if (rank == 0) then
            a = reshape([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [4, 3])
            call fmpl_send(a(:, 2), 32, 1, 3, ier); call ok('send a column')
            call fmpl_send(a, 96_8, 1, 3, ier); call ok('send with a size of 8 bytes')
            call fmpl_send(3.5d0, 8, 1, 3, ier); call ok('send a scalar')
            call fmpl_send('hello', 5, 1, 3, ier); call ok('send characters')
            call fmpl_send_section(a(2, 1), 8, 32, 3, 1, 3, ier); call ok('send a row')
            a = -1
            call fmpl_recv_section(a(1, 1), 16, 32, 3, 1, 3, received, ier); call ok('receive rows')
            call check(received == 48 .and. a(2, 3) == 60 .and. a(3, 3) == -1, 'rows')
        else if (rank == 1) then
            a = 0
            call fmpl_recv(a(:, 1), 32, 0, 3, ier); call ok('receive a column')
            call check(all(a(:, 1) == [5, 6, 7, 8]) .and. all(a(:, 2:) == 0), 'column')
            call fmpl_recv_size(a, 1000_8, 0, 3, long, ier); call ok('receive with a size of 8')
            call check(long == 96 .and. a(4, 3) == 12 .and. a(1, 1) == 1, 'matrix')
            call fmpl_recv_size(one, 8, 0, 3, received, ier); call ok('receive a scalar')
            call check(received == 8 .and. one == 3.5d0, 'scalar')
            call fmpl_recv(text, 5, 0, 3, ier); call ok('receive characters')
            call check(text == 'hello', 'characters')
            call fmpl_recv(a, 24, 0, 3, ier); call ok('receive a row')
            call check(all(a(1:3, 1) == [2, 6, 10]), 'row')
            a(:, 1) = [10, 20, 30, 40]; a(:, 2) = [50, 60, 70, 80]
            call fmpl_send(a(1, 1), 48, 0, 3, ier); call ok('send rows')
            a = 7
        end if
    end subroutine

    subroutine requests()
        integer, asynchronous :: in(2000, 2), out(2000)
        integer(FMPL_LONG_KIND) :: both(2), request
        integer :: index, done, cancelled
        if (rank == 0) then
            call fmpl_recv(done, 4, 1, 6, ier); call ok('wait for its receives')
            out = 11
            call fmpl_isend(out, 8000, 1, 0, request, ier); call ok('isend')
            call fmpl_wait_isend(request, ier); call ok('wait_isend')
            call check(request == FMPL_REQUEST_NULL, 'a null request')
            out = 22
            call fmpl_isend(out, 8000_8, 1, 1, request, ier); call ok('isend with a size of 8')
            call fmpl_wait(request, ier); call ok('wait')
        else if (rank == 1) then
            call fmpl_irecv(in(:, 1), 8000, 0, 0, both(1), ier); call ok('irecv')
            call fmpl_irecv(in(:, 2), 8000_8, 0, 1, both(2), ier); call ok('irecv with a size of 8')
            call fmpl_send(1, 4, 0, 6, ier); call ok('say so')
            call fmpl_wait_any(2, both, index, ier); call ok('wait_any')
            call check(index == 1 .or. index == 2, 'an index from 1 on')
            call check(both(index) == FMPL_REQUEST_NULL, 'the request of the index')
            call fmpl_wait_all(2, both, ier); call ok('wait_all')
            call check(all(in(:, 1) == 11) .and. all(in(:, 2) == 22), 'data of requests')
            call fmpl_wait_any(2, both, index, ier); call ok('wait_any of null requests')
            call check(index == 0, 'no index')
            call fmpl_irecv(in, 8000, 0, 5, request, ier); call ok('irecv to cancel')
            call fmpl_test(request, done, ier); call ok('test')
            call check(done == 0, 'not done')
            call fmpl_cancel(request, cancelled, ier); call ok('cancel')
            call check(cancelled == 1 .and. request == FMPL_REQUEST_NULL, 'cancelled')
        end if
    end subroutine

    subroutine send_buffer()
        real(8), asynchronous, save :: store(20000)
        real(8), save :: a(10000)
        integer :: nsend, nspool, sent
        if (rank == 0) then
            call fmpl_sendbuff_set(store, 160000, 1000, ier); call ok('sendbuff_set')
            a = 5
            call fmpl_send(a, 80000, 1, 2, ier); call ok('a send that goes to the send buffer')
            a = 6
        end if
        call fmpl_barrier(FMPL_COMM_WORLD, ier); call ok('barrier')
        if (rank == 0) then
            sent = 0
            do
                call fmpl_sendbuff_check(nsend, nspool, ier); call ok('sendbuff_check')
                sent = sent + nsend
                if (nspool == 0) exit
            end do
            call fmpl_sendbuff_set(FMPL_NULL, 0, 0, ier); call ok('take the buffer back')
        else if (rank == 1) then
            call fmpl_recv(a, 80000, 0, 2, ier); call ok('receive from the send buffer')
            call check(all(a == 5), 'data of the send buffer')
        end if
    end subroutine

    subroutine mistakes()
        integer :: a(10, 10), received
        character(len=80) :: text
        call fmpl_send(a, 4, size + 7, 0, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'no such rank')
        call hayate_error(text)
        call check(len_trim(text) > 10 .and. index(text, char(0)) == 0, 'a reason')
        call hayate_strerror(ier, text)
        call check(text == 'invalid argument', 'the name of a code')
        call fmpl_send(a, -1, 0, 0, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a negative size')
        call fmpl_recv(a(1, :), 40, 0, 0, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a section with gaps')
        call hayate_error(text)
        call check(index(text, 'contiguous') > 0, 'the reason of a section with gaps')
        call fmpl_send([1, 2, 3], 12, rank, 9, ier); call ok('send to itself')
        call fmpl_recv_size(a, 8, rank, 9, received, ier)
        call check(ier == HAYATE_ERR_TRUNCATE .and. received == 12, 'a message that is too long')
        call fmpl_recv(a, 12, rank, 9, ier); call ok('the same again')
        call check(all(a(1:3, 1) == [1, 2, 3]), 'its data')
        call fmpl_barrier(4711, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'no such communicator')
    end subroutine

    ! ---- all ranks ----

    subroutine communicators()
        integer :: few, part, number, members
        call fmpl_comm_create(few, merge(1, 0, rank < 2), ier); call ok('comm_create')
        call check((few == FMPL_COMM_NULL) .eqv. rank >= 2, 'a communicator of two')
        if (few /= FMPL_COMM_NULL) then
            call fmpl_comm_split(few, 0, -rank, part, ier); call ok('comm_split')
            call fmpl_comm_rank(part, number, ier); call ok('comm_rank')
            call fmpl_comm_size(part, members, ier); call ok('comm_size')
            call check(number == 1 - rank .and. members == 2, 'a communicator in reverse')
            call fmpl_comm_free(part, ier); call ok('comm_free of a part')
            call fmpl_comm_free(few, ier); call ok('comm_free')
            call check(few == FMPL_COMM_NULL, 'a communicator that was freed')
        end if
        call fmpl_comm_split(FMPL_COMM_WORLD, merge(FMPL_UNDEFINED, 1, rank == 0), 0, part, ier)
        call ok('comm_split of the world')
        call check((part == FMPL_COMM_NULL) .eqv. rank == 0, 'rank 0 joins none')
    end subroutine

    subroutine collectives()
        real(8) :: a(100), work(100)
        complex(8) :: z
        integer :: op, i, sum
        a = merge(42, 0, rank == 1)
        call fmpl_bcast(a, 800, 1, FMPL_COMM_WORLD, ier); call ok('bcast')
        call check(all(a == 42), 'a broadcast')
        a = merge(43, 0, rank == 0)
        call fmpl_hbcast(a, 800_8, 0, ier); call ok('hbcast')
        call check(all(a == 43), 'a broadcast by hardware')
        a = [(i * (rank + 1), i = 1, 100)]
        call fmpl_reduce(a, 100, FMPL_DOUBLE_SUM, 0, FMPL_COMM_WORLD, work, ier); call ok('reduce')
        sum = merge(size * (size + 1) / 2, rank + 1, rank == 0)
        call check(all(a == [(i * sum, i = 1, 100)]), 'a sum at the root only')
        a = -rank
        call fmpl_allreduce(a, 100_8, FMPL_DOUBLE_ABS_MAX, FMPL_COMM_WORLD, FMPL_NULL, ier)
        call ok('allreduce without work')
        call check(all(a == 1 - size), 'the largest absolute value')
        call check(FMPL_NULL == 4711, 'null is no memory')
        z = cmplx(rank, 1, 8)
        call fmpl_allreduce(z, 1, FMPL_COMPLEX_DOUBLE_SUM, FMPL_COMM_WORLD, FMPL_NULL, ier)
        call check(z == cmplx(size * (size - 1) / 2, size, 8), 'a sum of complex numbers')
        call fmpl_function_create(multiply, 8, op, ier); call ok('function_create')
        a = rank + 2
        call fmpl_allreduce(a, 100, op, FMPL_COMM_WORLD, work, ier); call ok('a product')
        call check(all(a == product([(i, i = 2, size + 1)])), 'a product by a function')
        call fmpl_function_free(op, ier); call ok('function_free')
    end subroutine

    ! ---- collectives with separate input and output ----

    ! What a rank contributes.
    function elements(of, count) result(values)
        integer, intent(in) :: of, count
        integer :: values(count), i
        values = [(10 * of + i, i = 1, count)]
    end function

    subroutine equal_blocks()
        integer :: mine(2), blocks(2, 0:size - 1), all_blocks(2, 0:size - 1), i
        all_blocks = reshape([(elements(i, 2), i = 0, size - 1)], [2, size])
        blocks = 0
        if (rank == 1) then
            call fmpl_gather(elements(1, 2), 8, blocks, 1, FMPL_COMM_WORLD, ier)
        else
            call fmpl_gather(elements(rank, 2), 8_8, FMPL_NULL, 1, FMPL_COMM_WORLD, ier)
        end if
        call ok('gather')
        call check(all(blocks == merge(all_blocks, 0, rank == 1)), 'blocks of gather')
        if (rank == 0) then
            call fmpl_scatter(all_blocks, mine, 8_8, 0, FMPL_COMM_WORLD, ier)
        else
            call fmpl_scatter(FMPL_NULL, mine, 8, 0, FMPL_COMM_WORLD, ier)
        end if
        call ok('scatter')
        call check(all(mine == elements(rank, 2)), 'the block of scatter')
        blocks = 0
        call fmpl_allgather(mine, 8, blocks, FMPL_COMM_WORLD, ier); call ok('allgather')
        call check(all(blocks == all_blocks), 'blocks of allgather')
        blocks = 0
        call fmpl_allgather(mine, 8_8, blocks, FMPL_COMM_WORLD, ier); call ok('allgather, 8')
        call check(all(blocks == all_blocks), 'blocks of allgather with a size of 8 bytes')
    end subroutine

    ! Block i of rank r has the elements of r, and 1000 i.
    subroutine blocks_for_all()
        integer :: in(2, 0:size - 1), out(2, 0:size - 1), mine(2), sums(2), i
        do i = 0, size - 1
            in(:, i) = elements(rank, 2) + 1000 * i
        end do
        call fmpl_alltoall(in, out, 8, FMPL_COMM_WORLD, ier); call ok('alltoall')
        call check(all([(out(:, i) == elements(i, 2) + 1000 * rank, i = 0, size - 1)]), 'alltoall')
        out = 0
        call fmpl_alltoall(in, out, 8_8, FMPL_COMM_WORLD, ier); call ok('alltoall, 8')
        call check(all([(out(:, i) == elements(i, 2) + 1000 * rank, i = 0, size - 1)]), '8')
        sums = 5 * size * (size - 1) + size * (1000 * rank + [1, 2])
        call fmpl_reduce_scatter(in, mine, 2, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('reduce_scatter')
        call check(all(mine == sums), 'sums of reduce_scatter')
        mine = 0
        call fmpl_reduce_scatter(in, mine, 2_8, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('reduce_scatter, 8')
        call check(all(mine == sums), 'sums of reduce_scatter with a count of 8 bytes')
    end subroutine

    subroutine prefixes()
        integer :: out(2), below(2)
        below = 5 * rank * (rank - 1) + rank * [1, 2]
        call fmpl_scan(elements(rank, 2), out, 2, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('scan')
        call check(all(out == below + elements(rank, 2)), 'sums of scan')
        out = 0
        call fmpl_scan(elements(rank, 2), out, 2_8, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('scan, 8')
        call check(all(out == below + elements(rank, 2)), 'sums of scan with a count of 8 bytes')
        out = -1
        if (rank == 0) below = -1
        call fmpl_exscan(elements(rank, 2), out, 2, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('exscan')
        call check(all(out == below), 'sums of exscan')
        out = -1
        call fmpl_exscan(elements(rank, 2), out, 2_8, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('exscan, 8')
        call check(all(out == below), 'sums of exscan with a count of 8 bytes')
    end subroutine

    ! Rank r has r + 1 elements. In `apart`, each block has 4 elements, and the last one is first.
    subroutine unequal_blocks()
        integer :: sizes(0:size - 1), offsets(0:size - 1), bytes, i
        integer :: packed(size * (size + 1) / 2), out(size * (size + 1) / 2), mine(rank + 1)
        integer :: apart(4, 0:size - 1), spread(4, 0:size - 1)
        sizes = [(4 * i + 4, i = 0, size - 1)]
        offsets = [(16 * (size - 1 - i), i = 0, size - 1)]
        bytes = 4 * rank + 4
        packed = [(elements(i, i + 1), i = 0, size - 1)]
        apart = -1
        do i = 0, size - 1
            apart(:i + 1, size - 1 - i) = elements(i, i + 1)
        end do
        mine = elements(rank, rank + 1)
        spread = -1
        if (rank == 0) then
            call fmpl_gatherv(mine, bytes, spread, sizes, offsets, 0, FMPL_COMM_WORLD, ier)
        else
            call fmpl_gatherv(mine, bytes, FMPL_NULL, FMPL_NULL, FMPL_NULL, 0, FMPL_COMM_WORLD, ier)
        end if
        call ok('gatherv')
        call check(all(spread == merge(apart, -1, rank == 0)), 'blocks of gatherv')
        out = 0
        call fmpl_gatherv(mine, int(bytes, 8), out, int(sizes, 8), FMPL_NULL_LONG, 1, &
            FMPL_COMM_WORLD, ier)
        call ok('gatherv, 8')
        call check(all(out == merge(packed, 0, rank == 1)), 'blocks of gatherv, one by one')
        mine = 0
        call fmpl_scatterv(apart, sizes, offsets, mine, bytes, 1, FMPL_COMM_WORLD, ier)
        call ok('scatterv')
        call check(all(mine == elements(rank, rank + 1)), 'the block of scatterv')
        mine = 0
        call fmpl_scatterv(packed, int(sizes, 8), FMPL_NULL_LONG, mine, int(bytes, 8), 0, &
            FMPL_COMM_WORLD, ier)
        call ok('scatterv, 8')
        call check(all(mine == elements(rank, rank + 1)), 'the block of scatterv with 8 bytes')
        out = 0
        call fmpl_allgatherv(mine, out, sizes, FMPL_NULL, FMPL_COMM_WORLD, ier)
        call ok('allgatherv')
        call check(all(out == packed), 'blocks of allgatherv')
        spread = -1
        call fmpl_allgatherv(mine, spread, int(sizes, 8), int(offsets, 8), FMPL_COMM_WORLD, ier)
        call ok('allgatherv, 8')
        call check(all(spread == apart), 'blocks of allgatherv with 8 bytes')
    end subroutine

    ! Rank r sends r + i + 1 elements to rank i; the blocks of the input are 8 elements apart.
    subroutine unequal_blocks_for_all()
        integer :: sizes(0:size - 1), offsets(0:size - 1), in(8, 0:size - 1), i
        integer :: expected(size * rank + size * (size + 1) / 2)
        integer :: out(size * rank + size * (size + 1) / 2)
        integer :: counts(size), values(size * (size + 1) / 2), sums(rank + 1), mine(rank + 1)
        sizes = [(4 * (rank + i + 1), i = 0, size - 1)]
        offsets = [(32 * i, i = 0, size - 1)]
        do i = 0, size - 1
            in(:, i) = elements(rank, 8) + 1000 * i
        end do
        expected = [(elements(i, rank + i + 1) + 1000 * rank, i = 0, size - 1)]
        out = 0
        call fmpl_alltoallv(in, sizes, offsets, out, sizes, FMPL_NULL, FMPL_COMM_WORLD, ier)
        call ok('alltoallv')
        call check(all(out == expected), 'blocks of alltoallv')
        out = 0
        call fmpl_alltoallv(in, int(sizes, 8), int(offsets, 8), out, int(sizes, 8), &
            FMPL_NULL_LONG, FMPL_COMM_WORLD, ier)
        call ok('alltoallv, 8')
        call check(all(out == expected), 'blocks of alltoallv with 8 bytes')
        counts = [(i, i = 1, size)]
        values = [(rank + 10 * i, i = 1, size * (size + 1) / 2)]
        sums = [(size * (size - 1) / 2 + size * 10 * i, i = rank * (rank + 1) / 2 + 1, &
            (rank + 1) * (rank + 2) / 2)]
        mine = 0
        call fmpl_reduce_scatterv(values, mine, counts, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('reduce_scatterv')
        call check(all(mine == sums), 'sums of reduce_scatterv')
        mine = 0
        call fmpl_reduce_scatterv(values, mine, int(counts, 8), FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call ok('reduce_scatterv, 8')
        call check(all(mine == sums), 'sums of reduce_scatterv with counts of 8 bytes')
    end subroutine

    ! Starts of both kinds of sizes; each is complete when its request is null.
    subroutine started_collectives()
        integer, asynchronous :: value(1), mine(2), all_of(2 * size), out(2 * size)
        integer(FMPL_LONG_KIND) :: request
        integer :: i, bytes
        bytes = storage_size(value) / 8

        value = merge(42, 0, rank == size - 1)
        call fmpl_ibcast(value, bytes, size - 1, FMPL_COMM_WORLD, request, ier)
        call finish(request, 'ibcast')
        call check(value(1) == 42, 'data of ibcast')

        value = rank + 1
        call fmpl_iallreduce(value, 1_8, FMPL_INT_SUM, FMPL_COMM_WORLD, request, ier)
        call finish(request, 'iallreduce')
        call check(value(1) == size * (size + 1) / 2, 'sum of iallreduce')

        mine = [10 * rank, 10 * rank + 1]
        all_of = -1
        call fmpl_iallgatherv(mine, all_of, [(2 * bytes, i = 1, size)], FMPL_NULL, &
            FMPL_COMM_WORLD, request, ier)
        call finish(request, 'iallgatherv')
        call check(all(all_of(1::2) == [(10 * i, i = 0, size - 1)]), 'blocks of iallgatherv')

        call fmpl_ialltoallv(all_of, [(2_8 * bytes, i = 1, size)], FMPL_NULL_LONG, out, &
            [(2_8 * bytes, i = 1, size)], FMPL_NULL_LONG, FMPL_COMM_WORLD, request, ier)
        call finish(request, 'ialltoallv')
        call check(all(out(1::2) == 10 * rank), 'blocks of ialltoallv')

        call fmpl_iscan(mine, out, 1, FMPL_INT_SUM, FMPL_COMM_WORLD, request, ier)
        call finish(request, 'iscan')
        call check(out(1) == 5 * rank * (rank + 1), 'sum of iscan')

        call fmpl_ibarrier(FMPL_COMM_WORLD, request, ier)
        call finish(request, 'ibarrier')

        call fmpl_ireduce(all_of(::2), 1, FMPL_INT_SUM, 0, FMPL_COMM_WORLD, request, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a section with gaps for ireduce')
        call check(request == FMPL_REQUEST_NULL, 'no request of what was not started')
        call fmpl_timeout_set(60000, ier)
        call ok('timeout_set')
        call fmpl_timeout_set(0, ier)
        call ok('timeout_set, none')
    end subroutine

    subroutine finish(request, what)
        integer(FMPL_LONG_KIND), intent(inout) :: request
        character(len=*), intent(in) :: what
        call ok(what)
        call fmpl_wait(request, ier)
        call ok('wait for ' // what)
        call check(request == FMPL_REQUEST_NULL, 'the request of ' // what)
    end subroutine

    subroutine mistakes_with_blocks()
        integer :: a(2, 0:size - 1), b(2, 0:size - 1), sizes(size)
        character(len=120) :: text
        a = 0
        sizes = 8
        sizes(2) = -4
        call fmpl_allgatherv(a, b, sizes, FMPL_NULL, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a negative size of a block')
        call hayate_error(text)
        call check(index(text, 'block 1 has -4 bytes') > 0, 'the reason of a negative size')
        call fmpl_allgatherv(a, b, int(sizes, 8), FMPL_NULL_LONG, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a negative size of 8 bytes')
        call fmpl_alltoallv(a, FMPL_NULL, FMPL_NULL, b, sizes, FMPL_NULL, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'no sizes')
        call fmpl_reduce_scatterv(a, b, sizes, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a negative count')
        call fmpl_scan(a, b, -1, FMPL_INT_SUM, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'a negative count of scan')
        call fmpl_allgather(a(1, :), 4, b, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'an input with gaps')
        call fmpl_allgatherv(a, b, sizes(::2), FMPL_NULL, FMPL_COMM_WORLD, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'sizes with gaps')
        call fmpl_allgatherv(a, b, sizes, FMPL_NULL, 4711, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'blocks in no communicator')
    end subroutine

    subroutine heap()
        type(c_ptr) :: address
        real(8), pointer :: a(:)
        integer(8) :: bytes, samples
        real(8) :: times(6)
        call fmpl_breakdown_set(1, ier); call ok('breakdown_set')
        call hayate_alloc(address, 8000_8, ier); call ok('alloc')
        call c_f_pointer(address, a, [1000])
        a = rank
        call fmpl_bcast(a, 8000, size - 1, FMPL_COMM_WORLD, ier); call ok('bcast of the heap')
        call check(all(a == size - 1), 'a broadcast in the heap')
        call hayate_free(address, ier); call ok('free')
        call hayate_free(address, ier)
        call check(ier == HAYATE_ERR_ARGUMENT, 'freed twice')
        call hayate_alloc(address, -1_8, ier)
        call check(ier == HAYATE_ERR_ARGUMENT .and. .not. c_associated(address), 'negative bytes')
        call fmpl_trim(bytes, ier); call ok('trim')
        call check(bytes >= 0, 'bytes of trim')
        call fmpl_breakdown_get(times, samples, ier); call ok('breakdown_get')
        call check(all(times >= 0) .and. samples >= 0, 'a breakdown')
        call fmpl_breakdown_set(0, ier); call ok('breakdown_set')
    end subroutine
end module

program fortran_module
    use operations
    implicit none
    character(len=20) :: version
    rank = -1
    call fmpl_init(FMPL_NULL, FMPL_NULL, 16, ier)
    call check(ier == HAYATE_ERR_STATE, 'FMPL before the job')
    call hayate_init(ier); call ok('init')
    call hayate_rank(rank, ier); call ok('rank')
    call hayate_size(size, ier); call ok('size')
    call hayate_version(version)
    call check(index(version, '.') > 1 .and. index(version, char(0)) == 0, 'the version')
    FMPL_NULL = 4711
    call fmpl_init(FMPL_NULL, FMPL_NULL, 16, ier); call ok('init of FMPL')
    call blocking()
    call requests()
    call send_buffer()
    call mistakes()
    call communicators()
    call collectives()
    call equal_blocks()
    call blocks_for_all()
    call prefixes()
    call unequal_blocks()
    call unequal_blocks_for_all()
    call started_collectives()
    call mistakes_with_blocks()
    call heap()
    call fmpl_barrier(FMPL_COMM_WORLD, ier); call ok('the last barrier')
    call fmpl_finalize(ier); call ok('finalize of FMPL')
    call hayate_finalize(ier); call ok('finalize')
end program
