/** A file with its path below the chosen folder; its bytes are read when its turn comes. */
export interface PickedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly open: () => Promise<Blob>
  /** Its first bytes, where they can be had without unpacking all of it. */
  readonly head?: Blob
}

/** File managers leave these in folders; a list of refused files should not name them. */
const leftovers = /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i

const isWanted = ({ path }: PickedFile): boolean => !leftovers.test(path)

const toPickedFile = (path: string, file: File): PickedFile => ({
  path,
  size: file.size,
  open: () => Promise.resolve(file),
  head: file,
})

/** The first bytes of every zip that is not empty (APPNOTE 4.3.7). */
const zipSignature = 0x04034b50
const shortestZipBytes = 22

/** Whether the file starts as a zip does, whatever its name says. */
export async function isZip(file: Blob): Promise<boolean> {
  if (file.size <= shortestZipBytes) return false
  return new DataView(await file.slice(0, 4).arrayBuffer()).getUint32(0, true) === zipSignature
}

/**
 * A zip stands for the files inside of it; everything else for itself. One that cannot be read stands for itself, too,
 * and says why when its turn comes: what was chosen with it is sent.
 */
async function unpacked(path: string, file: File): Promise<PickedFile[]> {
  if (!(await isZip(file))) return [toPickedFile(path, file)]
  // Most people choose folders: who does needs nothing that reads zips.
  const { zipEntries } = await import('./zipEntries.ts')
  try {
    return (await zipEntries(file)).map((entry) => ({ ...entry, path: `${path}/${entry.path}` }))
  } catch (cause) {
    return [{ path, size: file.size, open: () => Promise.reject(cause) }]
  }
}

/** The files of an input; with a folder chosen the browser gives their paths. */
export async function pickedFiles(list: FileList | null): Promise<PickedFile[]> {
  const files = await Promise.all([...(list ?? [])].map((file) => unpacked(file.webkitRelativePath || file.name, file)))
  return files.flat().filter(isWanted)
}

/**
 * The files of a drop, folders opened to their end. Must be called while the event runs: the browser empties the list
 * afterwards.
 */
export async function droppedFiles(items: DataTransferItemList): Promise<PickedFile[]> {
  return readEntries([...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null))
}

/** The files of entries that were taken from a drop while its event ran. */
export async function readEntries(entries: readonly FileSystemEntry[]): Promise<PickedFile[]> {
  const files = await Promise.all(entries.map(listFiles))
  return files.flat().filter(isWanted)
}

async function listFiles(entry: FileSystemEntry): Promise<PickedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return unpacked(entry.fullPath.replace(/^\//, ''), file)
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const inside: FileSystemEntry[] = []
  // A reader gives a folder in portions, and an empty one at its end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (portion.length === 0) break
    inside.push(...portion)
  }
  const files: PickedFile[] = []
  for (const child of inside) files.push(...(await listFiles(child)))
  return files
}
