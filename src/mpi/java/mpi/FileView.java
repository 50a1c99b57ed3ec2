// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * What a process sees of a file: the data of a filetype, repeated from a displacement on, whose
 * unit is the etype. Immutable.
 */
public final class FileView {
    private final long disp;
    private final Datatype etype;
    private final Datatype filetype;
    private final String datarep;

    /**
     * Describes a view.
     *
     * @param disp where it begins, in bytes
     * @param etype the unit of offsets
     * @param filetype the data that are seen
     * @param datarep the representation of data, such as "native"
     */
    public FileView(long disp, Datatype etype, Datatype filetype, String datarep) {
        this.disp = disp;
        this.etype = etype;
        this.filetype = filetype;
        this.datarep = datarep;
    }

    /**
     * Returns where it begins.
     *
     * @return bytes from the beginning of the file
     */
    public long getDisp() {
        return disp;
    }

    /**
     * Returns the unit of offsets.
     *
     * @return the etype
     */
    public Datatype getEType() {
        return etype;
    }

    /**
     * Returns the data that are seen.
     *
     * @return the filetype
     */
    public Datatype getFileType() {
        return filetype;
    }

    /**
     * Returns the representation of data.
     *
     * @return its name
     */
    public String getDataRep() {
        return datarep;
    }
}
