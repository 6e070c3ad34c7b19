import { isDone, type UploadFile, type Uploads } from './uploadFile.ts'

/** A series of the upload and how far it is. */
export interface UploadGroup {
  readonly key: string
  readonly name: string
  /** Where it can be looked at, once something of it is there. */
  readonly link?: string
  readonly files: number
  readonly done: number
  readonly stored: number
  readonly known: number
  readonly refused: number
  /** Of its bytes, whole. */
  readonly percent: number
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : 'Files')
/** What cannot be told by its series is told by its folder. */
const keyOf = ({ organizationId, series, seriesUID, path }: UploadFile): string =>
  `${organizationId} ${series?.uid ?? seriesUID ?? folderOf(path)}`

/** By series, in the order in which they came. */
export function groupsOf({ files, sentBytes }: Pick<Uploads, 'files' | 'sentBytes'>): UploadGroup[] {
  const leaving = leavingOf(files, sentBytes)
  return [...Map.groupBy(files, keyOf)].map(([key, inside]) => {
    const [first] = inside
    const there = inside.find(({ seriesUID }) => seriesUID)
    const count = (state: UploadFile['state']) => inside.filter((file) => file.state === state).length
    return {
      key,
      name: first?.series?.name ?? folderOf(first?.path ?? ''),
      ...(there && { link: `/scan/detail/${there.organizationId}/${there.seriesUID}` }),
      files: inside.length,
      done: inside.filter(isDone).length,
      stored: count('stored'),
      known: count('known'),
      refused: count('refused'),
      percent: percentOf(inside, leaving),
    }
  })
}

const isUnderWay = ({ state, place }: UploadFile): boolean =>
  state === 'sending' || (state === 'waiting' && place !== undefined)

/** What the request under way has sent of each of its files: they leave one after the other. */
function leavingOf(files: readonly UploadFile[], sentBytes: number): ReadonlyMap<UploadFile, number> {
  let left = sentBytes
  return new Map(
    files.filter(isUnderWay).map((file) => {
      const sent = Math.min(left, file.size)
      left -= sent
      return [file, sent]
    }),
  )
}

function percentOf(files: readonly UploadFile[], leaving: ReadonlyMap<UploadFile, number>): number {
  const all = files.reduce((sum, { size }) => sum + size, 0)
  const gone = files.reduce((sum, file) => sum + (isDone(file) ? file.size : (leaving.get(file) ?? 0)), 0)
  return all === 0 ? 100 : Math.floor((100 * gone) / all)
}

/** Bytes that have left, and all of them. */
export function bytesOf({ files, sentBytes }: Pick<Uploads, 'files' | 'sentBytes'>): { sent: number; all: number } {
  const sizeOf = (some: readonly UploadFile[]) => some.reduce((sum, { size }) => sum + size, 0)
  const all = sizeOf(files)
  return { sent: Math.min(all, sizeOf(files.filter(isDone)) + sentBytes), all }
}
