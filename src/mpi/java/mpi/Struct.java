// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A struct in a byte buffer. A subclass adds the fields in its constructor, keeps their offsets,
 * and has an inner class {@code Data} that reads and writes them. Fields follow each other without
 * gaps, unless {@link #setOffset} makes one. The extent is rounded up to the alignment of the
 * largest primitive type. No field can be added after the first call of {@link #getType},
 * {@link #getExtent} or {@code getData}; from then on several threads may use the struct.
 */
public abstract class Struct {
    private final List<Field> fields = new ArrayList<>();
    private int end;
    private Datatype type;

    private record Field(Datatype type, int offset, int length) {
    }

    /** Creates a struct without fields. */
    public Struct() {
    }

    /** {@return the distance from one struct of an array to the next, in bytes} */
    public final int getExtent() {
        return Math.toIntExact(getType().map().extent());
    }

    /** {@return the datatype of the struct, committed} */
    public final synchronized Datatype getType() {
        if (type == null) {
            type = Datatype.createStruct(fields.stream().mapToInt(Field::length).toArray(),
                    fields.stream().mapToInt(Field::offset).toArray(),
                    fields.stream().map(Field::type).toArray(Datatype[]::new));
            type.commit();
        }
        return type;
    }

    /** {@return a new object that accesses a struct of this type} */
    protected abstract Data newData();

    /**
     * Accesses the struct at the beginning of a buffer.
     *
     * @param <T> the class that {@link #newData} returns
     * @param buffer the buffer, from index 0, in the byte order of the machine
     * @return an object that reads and writes the struct
     */
    public final <T extends Data> T getData(ByteBuffer buffer) {
        return getData(buffer, 0);
    }

    /**
     * Accesses a struct of an array of structs.
     *
     * @param <T> the class that {@link #newData} returns
     * @param buffer the buffer, from index 0, in the byte order of the machine
     * @param index the number of the struct, from 0
     * @return an object that reads and writes the struct
     */
    public final <T extends Data> T getData(ByteBuffer buffer, int index) {
        return dataAt(buffer, Math.multiplyExact(index, getExtent()));
    }

    /**
     * Accesses the struct at the beginning of an array.
     *
     * @param <T> the class that {@link #newData} returns
     * @param array the bytes of the struct
     * @return an object that reads and writes the struct
     */
    public final <T extends Data> T getData(byte[] array) {
        return getData(array, 0);
    }

    /**
     * Accesses a struct of an array of structs.
     *
     * @param <T> the class that {@link #newData} returns
     * @param array the bytes of the structs
     * @param index the number of the struct, from 0
     * @return an object that reads and writes the struct
     */
    public final <T extends Data> T getData(byte[] array, int index) {
        return getData(ByteBuffer.wrap(array).order(ByteOrder.nativeOrder()), index);
    }

    @SuppressWarnings("unchecked") // the caller knows what newData returns
    private <T extends Data> T dataAt(ByteBuffer buffer, int offset) {
        Data data = newData();
        data.buffer = buffer;
        data.offset = offset;
        return (T) data;
    }

    /**
     * Leaves a gap before the next field.
     *
     * @param offset the offset of the next field, not less than the end of the last one
     * @return this struct
     * @throws MPIException if it is less, or the struct is in use, with ERR_ARG
     */
    public final synchronized Struct setOffset(int offset) {
        if (offset < end || type != null) {
            throw new MPIException(ErrorClass.ARG, "the offset of the next field is " + offset
                    + ": expected " + end + " or more, before the first use of the struct");
        }
        end = offset;
        return this;
    }

    private synchronized int add(Datatype member, int length) {
        if (type != null || length < 0) {
            throw new MPIException(ErrorClass.ARG, "a field of length " + length + ": expected 0"
                    + " or more, before the first use of the struct");
        }
        long next = end + member.map().extent() * length;
        if (next != (int) next) {
            throw new MPIException(ErrorClass.ARG, "the struct would have " + next
                    + " bytes: expected at most " + Integer.MAX_VALUE);
        }
        fields.add(new Field(member, end, length));
        int offset = end;
        end = (int) next;
        return offset;
    }

    /** Returns whether there is such a field, for assertions. */
    private boolean has(int field, int index, Datatype member) {
        return fields.stream().anyMatch(f -> f.offset == field && f.type == member
                && index >= 0 && index < f.length);
    }

    /** {@return the offset of a new field of one byte} */
    public final int addByte() {
        return addByte(1);
    }

    /**
     * Adds an array of bytes.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addByte(int length) {
        return add(Types.BYTE, length);
    }

    /** {@return the offset of a new field of one char} */
    public final int addChar() {
        return addChar(1);
    }

    /**
     * Adds an array of chars.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addChar(int length) {
        return add(Types.CHAR, length);
    }

    /** {@return the offset of a new field of one short} */
    public final int addShort() {
        return addShort(1);
    }

    /**
     * Adds an array of shorts.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addShort(int length) {
        return add(Types.SHORT, length);
    }

    /** {@return the offset of a new field of one int} */
    public final int addInt() {
        return addInt(1);
    }

    /**
     * Adds an array of ints.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addInt(int length) {
        return add(Types.INT, length);
    }

    /** {@return the offset of a new field of one long} */
    public final int addLong() {
        return addLong(1);
    }

    /**
     * Adds an array of longs.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addLong(int length) {
        return add(Types.LONG, length);
    }

    /** {@return the offset of a new field of one float} */
    public final int addFloat() {
        return addFloat(1);
    }

    /**
     * Adds an array of floats.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addFloat(int length) {
        return add(Types.FLOAT, length);
    }

    /** {@return the offset of a new field of one double} */
    public final int addDouble() {
        return addDouble(1);
    }

    /**
     * Adds an array of doubles.
     *
     * @param length its elements, at least 0
     * @return the offset of the field
     */
    public final int addDouble(int length) {
        return add(Types.DOUBLE, length);
    }

    /**
     * Adds a struct.
     *
     * @param struct its type, to which no more fields can be added
     * @return the offset of the field
     */
    public final int addStruct(Struct struct) {
        return addStruct(struct, 1);
    }

    /**
     * Adds an array of structs.
     *
     * @param struct their type, to which no more fields can be added
     * @param length the structs, at least 0
     * @return the offset of the field
     */
    public final int addStruct(Struct struct, int length) {
        return add(struct.getType(), length);
    }

    /**
     * Adds an element of a datatype.
     *
     * @param type the datatype
     * @return the offset of the field
     */
    public final int addData(Datatype type) {
        return addData(type, 1);
    }

    /**
     * Adds an array of elements of a datatype.
     *
     * @param type the datatype
     * @param length the elements, at least 0
     * @return the offset of the field
     */
    public final int addData(Datatype type, int length) {
        return add(Datatype.required(type), length);
    }

    /**
     * Reads and writes a struct in a buffer. Fields are named by their offsets, elements of arrays
     * by an index from 0. An IndexOutOfBoundsException means that the buffer is too short.
     */
    public abstract class Data extends StructValues {
        /** Creates an object that {@code getData} connects with a buffer. */
        public Data() {
        }

        @Override
        int at(int field, int index, Datatype member) {
            assert has(field, index, member) : "no " + member + " at " + field + ", " + index;
            return Math.toIntExact(offset + field + index * member.map().extent());
        }

        /** {@return the buffer from the struct on} */
        public final ByteBuffer getBuffer() {
            return offset == 0 ? buffer : Buffers.slice(buffer, offset);
        }

        /**
         * Returns the buffer from a field on.
         *
         * @param type the datatype of the field
         * @param field its offset
         * @return the buffer
         */
        protected final ByteBuffer getBuffer(Datatype type, int field) {
            return getBuffer(type, field, 0);
        }

        /**
         * Returns the buffer from an element of an array on.
         *
         * @param type the datatype of the elements
         * @param field the offset of the array
         * @param index the element
         * @return the buffer
         */
        protected final ByteBuffer getBuffer(Datatype type, int field, int index) {
            int place = at(field, index, type);
            return place == 0 ? buffer : Buffers.slice(buffer, place);
        }

        /**
         * Accesses a struct in this struct.
         *
         * @param <S> the type of the struct
         * @param <D> what reads and writes it
         * @param struct the type of the struct
         * @param field its offset
         * @return an object that reads and writes it
         */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field) {
            return getData(struct, field, 0);
        }

        /**
         * Accesses a struct of an array in this struct.
         *
         * @param <S> the type of the struct
         * @param <D> what reads and writes it
         * @param struct the type of the struct
         * @param field the offset of the array
         * @param index the element
         * @return an object that reads and writes it
         */
        protected final <S extends Struct, D extends Struct.Data> D getData(S struct, int field,
                int index) {
            Struct member = struct;
            return member.dataAt(buffer, at(field, index, member.getType()));
        }
    }
}
