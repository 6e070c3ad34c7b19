import { isDone, isRefused, type UploadFile, type Uploads } from './uploadFile.ts'

/** A series of the upload and its progress. */
export interface UploadGroup {
  readonly key: string
  readonly name: string
  readonly patient: string
  readonly study: string
  /** The address that shows its images, once one of its files is stored. */
  readonly link?: string
  readonly files: number
  readonly done: number
  readonly stored: number
  readonly duplicate: number
  readonly refused: number
  /** Of its bytes, whole. */
  readonly percent: number
}

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : filesText())
const filesText = (): string => 'Files'
/** A file whose series is unknown is shown by its folder. */
const toGroupKey = ({ organizationId, series, seriesUID, path }: UploadFile): string =>
  `${organizationId} ${series?.uid ?? seriesUID ?? folderOf(path)}`

/** By series, in the order in which they came. */
export function toGroups({ files, sentBytes }: Pick<Uploads, 'files' | 'sentBytes'>): UploadGroup[] {
  const leaving = splitSentBytes(files, sentBytes)
  return [...Map.groupBy(files, toGroupKey)].map(([key, inside]) => {
    const [first] = inside
    const storedFile = inside.find(({ seriesUID }) => seriesUID)
    const count = (state: UploadFile['state']) => inside.filter((file) => file.state === state).length
    return {
      key,
      name: first?.series?.name ?? folderOf(first?.path ?? ''),
      patient: first?.series?.patient ?? '',
      study: first?.series?.study ?? '',
      ...(storedFile && { link: `/scan/detail/${storedFile.organizationId}/${storedFile.seriesUID}` }),
      files: inside.length,
      done: inside.filter(isDone).length,
      stored: count('stored'),
      duplicate: count('duplicate'),
      refused: inside.filter(isRefused).length,
      percent: toPercent(inside, leaving),
    }
  })
}

const isUnderWay = ({ state, uploadUrl }: UploadFile): boolean =>
  state === 'sending' || (state === 'waiting' && uploadUrl !== undefined)

/** How much of each file the request under way has sent: files leave one after the other. */
function splitSentBytes(files: readonly UploadFile[], sentBytes: number): ReadonlyMap<UploadFile, number> {
  let remainingBytes = sentBytes
  return new Map(
    files.filter(isUnderWay).map((file) => {
      const sent = Math.min(remainingBytes, file.size)
      remainingBytes -= sent
      return [file, sent]
    }),
  )
}

function toPercent(files: readonly UploadFile[], leaving: ReadonlyMap<UploadFile, number>): number {
  const all = files.reduce((sum, { size }) => sum + size, 0)
  const transferredBytes = files.reduce((sum, file) => sum + (isDone(file) ? file.size : (leaving.get(file) ?? 0)), 0)
  return all === 0 ? 100 : Math.floor((100 * transferredBytes) / all)
}

/** Bytes that have left, and all of them. */
export function sumBytes({ files, sentBytes }: Pick<Uploads, 'files' | 'sentBytes'>): { sent: number; all: number } {
  const sumSizes = (some: readonly UploadFile[]) => some.reduce((sum, { size }) => sum + size, 0)
  const all = sumSizes(files)
  return { sent: Math.min(all, sumSizes(files.filter(isDone)) + sentBytes), all }
}
