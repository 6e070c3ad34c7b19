import { isZip, zipEntries } from './zip.ts'

/** A file with its path below what was chosen; its bytes are read when its turn comes. */
export interface PickedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly open: () => Promise<Blob>
  /** Its first bytes, where they can be had without unpacking all of it. */
  readonly head?: Blob
}

/** What file managers leave in folders; nobody wants to read that it was refused. */
const leftovers = /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/i

const wanted = ({ path, size }: PickedFile): boolean => size > 0 && !leftovers.test(path)

const picked = (path: string, file: File): PickedFile => ({
  path,
  size: file.size,
  open: () => Promise.resolve(file),
  head: file,
})

/**
 * A zip stands for what is inside of it; everything else for itself. Throws a sentence for a zip that cannot be read.
 */
async function unpacked(path: string, file: File): Promise<PickedFile[]> {
  if (!(await isZip(file))) return [picked(path, file)]
  return (await zipEntries(file)).map((entry) => ({ ...entry, path: `${path}/${entry.path}` }))
}

/** The files of an input; with a folder chosen the browser gives their paths. */
export async function pickedFiles(list: FileList | null): Promise<PickedFile[]> {
  const found = await Promise.all([...(list ?? [])].map((file) => unpacked(file.webkitRelativePath || file.name, file)))
  return found.flat().filter(wanted)
}

/**
 * The files of a drop, folders opened to their end. Must be called while the event runs: the browser empties the list
 * afterwards.
 */
export async function droppedFiles(items: DataTransferItemList): Promise<PickedFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const found = await Promise.all(entries.map(filesOf))
  return found.flat().filter(wanted)
}

async function filesOf(entry: FileSystemEntry): Promise<PickedFile[]> {
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
  const found: PickedFile[] = []
  for (const child of inside) found.push(...(await filesOf(child)))
  return found
}
