import { BlobReader, BlobWriter, configure, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js'

/** One file inside of a zip; it is unpacked when its turn comes. */
export interface ZipEntry {
  readonly path: string
  /** Bytes when unpacked, as the zip says. */
  readonly size: number
  readonly open: () => Promise<Blob>
}

// The browser unpacks by itself; the page's security policy refuses a worker made from a blob.
configure({ useWebWorkers: false, useCompressionStream: true })

const damaged = (cause: unknown): Error =>
  new Error('This zip is damaged or in an unsupported format. Unpack it, then choose the folder.', {
    cause,
  })

/**
 * The files inside, from the directory at the end of the zip, of any size (zip64); nothing is unpacked yet. Strict: an
 * archive that two tools would read differently is refused.
 */
export async function zipEntries(zip: Blob): Promise<ZipEntry[]> {
  try {
    const entries = await new ZipReader(new BlobReader(zip)).getEntries({ checkAmbiguity: true })
    if (entries.some(({ encrypted }) => encrypted)) throw new Error('The zip is encrypted.')
    return entries.filter((entry) => !entry.directory).map(toZipEntry)
  } catch (cause) {
    throw damaged(cause)
  }
}

const toZipEntry = (entry: FileEntry): ZipEntry => ({
  path: entry.filename,
  size: entry.uncompressedSize,
  open: () =>
    entry.getData(new BlobWriter()).catch((cause: unknown) => {
      throw damaged(cause)
    }),
})
