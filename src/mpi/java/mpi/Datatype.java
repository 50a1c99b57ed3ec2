// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Which elements of a buffer a message consists of: their primitive type, and their places. The
 * methods with lower-case names are those of Open MPI, the others those of mpiJava.
 *
 * <p>Methods of Open MPI measure extents, bounds and sizes in elements of the base type. It is the
 * primitive type of which the datatype consists; {@code BYTE} for {@code INT2}, for the pairs with
 * an index, and for each result of {@link #createStruct}. Methods of mpiJava always measure in
 * elements of the array, which are bytes if a datatype contains several primitive types. A length
 * that is too large for an int is {@code MPI.UNDEFINED}.
 *
 * <p>A datatype that a method with a lower-case name made can be used in messages after
 * {@link #commit}; one of mpiJava at once. No thread may call {@link #commit} or {@link #free}
 * while another one uses the datatype; otherwise its data are immutable.
 *
 * <p>An {@link MPIException} has the class ERR_TYPE if a datatype is null or was freed, ERR_COUNT
 * if a number of elements or blocks is negative, and ERR_ARG if arrays are null or differ in
 * length, or a datatype would extend over 2^63 bytes.
 */
public class Datatype implements Freeable, Cloneable {
    /** The number of the primitive type in mpiJava, such as 5 for int; -1 if there is none. */
    public final int baseType;

    final Kind kind;
    /** The unit of extents of Open MPI, and what arrays may consist of besides those of kind. */
    final Kind base;
    /** The bytes that an element has in a message. */
    final long bytes;
    /** Whether it is valid, committed, and any number of its elements is one block at 0. */
    boolean plain;

    /** Null for the null datatype; a freed one keeps it, for messages that have begun. */
    final TypeMap map;
    private final boolean predefined;
    private boolean freed;
    private boolean committed;
    private String name;
    private Attributes attributes;

    /** Creates a null datatype, which no method but {@link #isNull} accepts. */
    public Datatype() {
        this(Kind.NONE, Kind.NONE, null, true);
        name = "MPI_DATATYPE_NULL";
    }

    /** A predefined datatype. */
    Datatype(Kind kind, TypeMap map, String name) {
        this(kind, kind.base, map, true);
        this.name = name;
        become(true);
    }

    private Datatype(Kind kind, Kind base, TypeMap map, boolean predefined) {
        this.kind = kind;
        this.base = base;
        this.map = map;
        this.predefined = predefined;
        baseType = kind.code;
        bytes = map == null ? 0 : map.size;
        name = "";
    }

    private static Datatype derived(Datatype old, TypeMap map) {
        return new Datatype(old.kind, old.base, map, false);
    }

    private Datatype become(boolean committedNow) {
        committed = committedNow;
        plain = committed && map.isContiguous() && kind.element != Kind.OBJECT;
        return this;
    }

    /** Returns a datatype, which must not be null or freed. */
    static Datatype required(Datatype type) {
        if (type == null || type.isNull()) {
            throw new MPIException(ErrorClass.TYPE, (type == null ? "the datatype is null"
                    : "the datatype is MPI.DATATYPE_NULL or was freed")
                    + ": expected one of MPI, such as MPI.INT, or one that was created");
        }
        return type;
    }

    /** Returns a datatype, which must also be committed. */
    static Datatype usable(Datatype type) {
        if (!required(type).committed) {
            throw new MPIException(ErrorClass.TYPE,
                    "the datatype " + type + " was not committed: call commit() first");
        }
        return type;
    }

    /** Returns the same datatype, which the program cannot free. */
    static Datatype lasting(Datatype type) {
        return usable(type).predefined ? type : type.dup();
    }

    TypeMap map() {
        return required(this).map;
    }

    boolean isPlain() {
        return plain;
    }

    private int inUnits(long length, Kind unit) {
        long units = length / Math.max(1, unit.bytes);
        return units == (int) units ? (int) units : Counting.UNDEFINED;
    }

    /**
     * Creates a datatype of elements that follow each other.
     *
     * @param count the elements, at least 0
     * @param oldType their type
     * @return the new datatype, not committed
     */
    public static Datatype createContiguous(int count, Datatype oldType) {
        return derived(oldType, Constructors.vector(1, count, 0, 0, oldType));
    }

    /**
     * Creates a datatype of blocks in equal distances.
     *
     * @param count the blocks, at least 0
     * @param blockLength elements of each block, at least 0
     * @param stride from the beginning of a block to that of the next, in extents of the old type
     * @param oldType the type of the elements
     * @return the new datatype, not committed
     */
    public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) {
        long unit = required(oldType).map.extent();
        return derived(oldType,
                Constructors.vector(count, blockLength, stride, unit, oldType));
    }

    /**
     * Creates a datatype of blocks in equal distances of bytes.
     *
     * @param count the blocks, at least 0
     * @param blockLength elements of each block, at least 0
     * @param stride bytes from the beginning of a block to that of the next
     * @param oldType the type of the elements
     * @return the new datatype, not committed
     */
    public static Datatype createHVector(int count, int blockLength, int stride,
            Datatype oldType) {
        return derived(oldType, Constructors.vector(count, blockLength, stride, 1, oldType));
    }

    /**
     * Creates a datatype of blocks of any lengths and places.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in extents of the old type
     * @param oldType the type of the elements
     * @return the new datatype, not committed
     */
    public static Datatype createIndexed(int[] blockLengths, int[] displacements,
            Datatype oldType) {
        long unit = required(oldType).map.extent();
        return derived(oldType,
                Constructors.indexed(blockLengths, displacements, unit, oldType));
    }

    /**
     * Creates a datatype of blocks of any lengths and places, which are bytes.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in bytes
     * @param oldType the type of the elements
     * @return the new datatype, not committed
     */
    public static Datatype createHIndexed(int[] blockLengths, int[] displacements,
            Datatype oldType) {
        return derived(oldType, Constructors.indexed(blockLengths, displacements, 1, oldType));
    }

    /**
     * Creates a datatype of blocks of several types. Its extent is rounded up to the alignment of
     * the largest primitive type, as a struct of C, unless a member was resized.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in bytes
     * @param types the type of each block
     * @return the new datatype, not committed; its base type is {@code BYTE}
     */
    public static Datatype createStruct(int[] blockLengths, int[] displacements,
            Datatype[] types) {
        Kind common = Constructors.commonKind(blockLengths, types);
        return new Datatype(common, Kind.BYTE,
                Constructors.struct(blockLengths, displacements, 1, types), false);
    }

    /**
     * Creates a datatype with the data of another one, and other bounds.
     *
     * @param oldType the other datatype
     * @param lb the new lower bound, in bytes
     * @param extent the new extent, in bytes: the distance from one element to the next
     * @return the new datatype, not committed
     */
    public static Datatype createResized(Datatype oldType, int lb, int extent) {
        return derived(oldType, required(oldType).map.resized(lb, extent));
    }

    /**
     * Creates a datatype of elements that follow each other.
     *
     * @param count the elements, at least 0
     * @param oldType their type
     * @return the new datatype
     */
    public static Datatype Contiguous(int count, Datatype oldType) {
        return createContiguous(count, oldType).become(true);
    }

    /**
     * Creates a datatype of blocks in equal distances.
     *
     * @param count the blocks, at least 0
     * @param blockLength elements of each block, at least 0
     * @param stride from the beginning of a block to that of the next, in extents of the old type
     * @param oldType the type of the elements
     * @return the new datatype
     */
    public static Datatype Vector(int count, int blockLength, int stride, Datatype oldType) {
        return createVector(count, blockLength, stride, oldType).become(true);
    }

    /**
     * Creates a datatype of blocks in equal distances of array elements.
     *
     * @param count the blocks, at least 0
     * @param blockLength elements of each block, at least 0
     * @param stride array elements from the beginning of a block to that of the next
     * @param oldType the type of the elements
     * @return the new datatype
     */
    public static Datatype Hvector(int count, int blockLength, int stride, Datatype oldType) {
        long unit = required(oldType).kind.element.bytes;
        return derived(oldType, Constructors.vector(count, blockLength, stride, unit, oldType))
                .become(true);
    }

    /**
     * Creates a datatype of blocks of any lengths and places.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in extents of the old type
     * @param oldType the type of the elements
     * @return the new datatype
     */
    public static Datatype Indexed(int[] blockLengths, int[] displacements,
            Datatype oldType) {
        return createIndexed(blockLengths, displacements, oldType)
                .become(true);
    }

    /**
     * Creates a datatype of blocks of any lengths and places, which are array elements.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in array elements
     * @param oldType the type of the elements
     * @return the new datatype
     */
    public static Datatype Hindexed(int[] blockLengths, int[] displacements,
            Datatype oldType) {
        long unit = required(oldType).kind.element.bytes;
        return derived(oldType,
                Constructors.indexed(blockLengths, displacements, unit, oldType))
                .become(true);
    }

    /**
     * Creates a datatype of blocks of several types, which all consist of the same array elements.
     * {@code MPI.LB} and {@code MPI.UB} among them set its bounds.
     *
     * @param blockLengths elements of each block, at least 0
     * @param displacements the beginning of each block, in array elements
     * @param types the type of each block
     * @return the new datatype
     */
    public static Datatype Struct(int[] blockLengths, int[] displacements,
            Datatype[] types) {
        Kind common = Constructors.sameElements(blockLengths, types);
        long unit = common.element.bytes;
        TypeMap struct = Constructors.struct(blockLengths, displacements, unit,
                types);
        return new Datatype(common, common.element, struct, false).become(true);
    }

    /**
     * Makes it possible to use this datatype in messages. Predefined ones and those of mpiJava are
     * committed.
     */
    public void commit() {
        required(this).become(true);
    }

    /** The same as {@link #commit}. */
    public void Commit() {
        commit();
    }

    /**
     * Frees this datatype, which then is null. Datatypes that were made of it, and messages that
     * have begun, are not concerned.
     */
    @Override
    public void free() {
        if (required(this).predefined) {
            throw new MPIException(ErrorClass.TYPE, "the datatype " + this
                    + " is predefined: free only datatypes that the program created");
        }
        freed = true;
        plain = false;
        attributes = null;
    }

    /**
     * Does nothing.
     *
     * @deprecated exists for programs that were compiled for mpiJava
     */
    @Deprecated
    @Override
    public void finalize() {
    }

    /**
     * Returns whether this is the null datatype.
     *
     * @return {@code true} also after {@link #free}
     */
    public boolean isNull() {
        return map == null || freed;
    }

    /**
     * Creates a datatype with the same data and bounds, committed if this one is. It has those
     * attributes which are copied.
     *
     * @return the new datatype, without a name
     */
    public Datatype dup() {
        Datatype copy = derived(required(this), map).become(committed);
        copy.attributes = attributes == null ? null : attributes.copy();
        return copy;
    }

    /**
     * The same as {@link #dup}.
     *
     * @return the new datatype
     */
    @Override
    public Datatype clone() {
        return dup();
    }

    /** {@return the lower bound, in elements of the base type} */
    public int getLb() {
        return inUnits(map().lb, base);
    }

    /** {@return the distance from one element to the next, in elements of the base type} */
    public int getExtent() {
        return inUnits(map().extent(), base);
    }

    /** {@return the place of the first data, in elements of the base type} */
    public int getTrueLb() {
        return inUnits(map().trueLb, base);
    }

    /** {@return the length from the first to the last data, in elements of the base type} */
    public int getTrueExtent() {
        return inUnits(map().trueUb - map().trueLb, base);
    }

    /** {@return how many data there are, without gaps, in elements of the base type} */
    public int getSize() {
        return inUnits(map().size, base);
    }

    /** {@return the distance from one element to the next, in array elements} */
    public int Extent() {
        return inUnits(map().extent(), kind.element);
    }

    /** {@return the lower bound, in array elements} */
    public int Lb() {
        return inUnits(map().lb, kind.element);
    }

    /** {@return the upper bound, in array elements} */
    public int Ub() {
        return inUnits(map().ub, kind.element);
    }

    /** {@return how many data there are, without gaps, in array elements} */
    public int Size() {
        return inUnits(map().size, kind.element);
    }

    /** {@return the size of the data, in bytes; 0 for objects, whose size depends on them} */
    public int getByteSize() {
        return kind.element == Kind.OBJECT ? 0 : inUnits(bytes, Kind.BYTE);
    }

    /**
     * Returns the number of the primitive type in mpiJava.
     *
     * @return the same as {@link #baseType}
     */
    public int getType() {
        return baseType;
    }

    /**
     * Returns the name.
     *
     * @return such as MPI_INT; an empty string if a derived datatype was not named
     */
    public String getName() {
        return name;
    }

    /**
     * Gives the datatype a name, for people.
     *
     * @param name the name
     */
    public void setName(String name) {
        if (name == null) {
            throw new MPIException(ErrorClass.ARG, "the name of a datatype is null");
        }
        this.name = name;
    }

    /**
     * Creates a key of attributes of datatypes.
     *
     * @return the key
     */
    public static int createKeyval() {
        return Attributes.createKeyval();
    }

    /**
     * Frees a key of attributes.
     *
     * @param keyval the key
     */
    public static void freeKeyval(int keyval) {
        Attributes.freeKeyval(keyval);
    }

    /**
     * Stores an attribute, instead of an earlier one.
     *
     * @param keyval the key
     * @param value the attribute
     */
    public void setAttr(int keyval, Object value) {
        attributes().set(keyval, value);
    }

    /**
     * Returns an attribute.
     *
     * @param keyval the key
     * @return the attribute; null if there is none
     */
    public Object getAttr(int keyval) {
        return attributes().get(keyval);
    }

    /**
     * Removes an attribute.
     *
     * @param keyval the key
     */
    public void deleteAttr(int keyval) {
        attributes().delete(keyval);
    }

    private Attributes attributes() {
        required(this);
        if (attributes == null) {
            attributes = new Attributes();
        }
        return attributes;
    }

    /** Returns the name, or what it consists of. */
    @Override
    public String toString() {
        return !name.isEmpty() ? name : "of " + bytes + " bytes of " + kind;
    }
}
