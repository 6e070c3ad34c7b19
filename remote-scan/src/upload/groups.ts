import { isDone, type UploadFile, type Uploads } from './uploadFile.ts'

/** A folder of the upload and how far it is. */
export interface UploadGroup {
  readonly name: string
  readonly files: number
  readonly done: number
  readonly stored: number
  readonly known: number
  readonly refused: number
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : 'Files')

/** By folder, in the order in which they came: that is how series lie on disk, long before the server has read them. */
export function groupsOf(files: readonly UploadFile[]): UploadGroup[] {
  const groups = new Map<string, UploadFile[]>()
  for (const file of files) {
    const name = folderOf(file.path)
    const group = groups.get(name)
    if (group) group.push(file)
    else groups.set(name, [file])
  }
  return [...groups].map(([name, inside]) => ({
    name,
    files: inside.length,
    done: inside.filter(isDone).length,
    stored: inside.filter(({ state }) => state === 'stored').length,
    known: inside.filter(({ state }) => state === 'known').length,
    refused: inside.filter(({ state }) => state === 'refused').length,
  }))
}

/** Bytes that have left, and all of them. */
export function bytesOf({ files, sentBytes }: Pick<Uploads, 'files' | 'sentBytes'>): { sent: number; all: number } {
  const sizeOf = (some: readonly UploadFile[]) => some.reduce((sum, { size }) => sum + size, 0)
  const all = sizeOf(files)
  return { sent: Math.min(all, sizeOf(files.filter(isDone)) + sentBytes), all }
}
