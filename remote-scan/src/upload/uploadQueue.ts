import * as scan from '@dmp/contract/scan'
import { isTemporary, onPersonChange, refresh } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import type { PickedFile } from './droppedFiles.ts'
import { parseSeries } from './parseSeries.ts'
import { readSeries } from './readSeries.ts'
import { fingerprint, resumableUploads } from './resumableUploads.ts'
import { storeBatch } from './storeBatch.ts'
import { storeResumable } from './storeResumable.ts'
import { isBesideImages, isRefused, isStored, type UploadFile } from './uploadFile.ts'
import type { UploadOutcome } from './uploadOutcome.ts'
import { currentOwner, uploadStore } from './uploadStore.ts'

const batchFiles = 32
const batchBytes = 16_000_000
/** From this size on a file is sent alone, so that it can continue where a lost connection left it. */
const largeBytes = 8_000_000
const firstRetryMs = 1000
const longestRetryMs = 30_000

let stopRequest = new AbortController()
let wakeUp: (() => void) | undefined

export const uploadQueue = {
  /** Adds files to the queue, and begins. */
  add(organizationId: string, picked: readonly PickedFile[]): void {
    if (uploadStore.get().owner !== currentOwner()) uploadQueue.clear()
    const files = picked.map((file): UploadFile => ({ ...file, organizationId, state: 'waiting' }))
    uploadStore.set({ owner: currentOwner(), files: [...uploadStore.get().files, ...files], trouble: null })
    void readSeries()
    void run()
  },
  pause(): void {
    uploadStore.set({ isPaused: true })
    stopRequest.abort()
    wakeUp?.()
  },
  resume(): void {
    uploadStore.set({ isPaused: false, trouble: null })
    void run()
  },
  /** Stops and forgets everything; what the server has stays. */
  clear(): void {
    stopRequest.abort()
    wakeUp?.()
    uploadStore.clear()
  },
}

// What somebody is sending stops with their session and continues with their next one; for anybody else it never was.
onPersonChange((person) => {
  stopRequest.abort()
  wakeUp?.()
  if (person !== null && uploadStore.get().owner !== person) uploadStore.clear()
  else if (person !== null && getNextBatch().length > 0) void run()
})

/** The positions of the next files of one organization that fit into one request; at least one. */
export function nextBatch(files: readonly UploadFile[]): number[] {
  const batch: number[] = []
  let bytes = 0
  for (const [index, file] of files.entries()) {
    if (file.state !== 'waiting') continue
    const isLarge = file.size >= largeBytes
    if (isLarge && batch.length === 0) return [index]
    if (isLarge) continue
    const isOther = batch.length > 0 && files[batch[0] ?? 0]?.organizationId !== file.organizationId
    if (batch.length > 0 && (isOther || batch.length >= batchFiles || bytes + file.size > batchBytes)) break
    batch.push(index)
    bytes += file.size
  }
  return batch
}

const getNextBatch = (): number[] => nextBatch(uploadStore.get().files)

async function run(): Promise<void> {
  if (uploadStore.get().isRunning) return
  uploadStore.set({ isRunning: true })
  addEventListener('beforeunload', askBeforeLeaving)
  let retryMs = firstRetryMs
  for (let batch = getNextBatch(); batch.length > 0 && !uploadStore.get().isPaused; batch = getNextBatch()) {
    if (uploadStore.get().owner !== currentOwner()) break
    try {
      await sendBatch(batch)
      retryMs = firstRetryMs
    } catch (error) {
      putBack(batch)
      if (error instanceof DOMException && error.name === 'AbortError') continue
      const message = error instanceof Error ? error.message : 'An unknown error occurred'
      uploadStore.set({ trouble: { message, isPassing: isTemporary(error) } })
      if (!isTemporary(error)) break
      await sleep(retryMs)
      retryMs = Math.min(2 * retryMs, longestRetryMs)
    }
  }
  removeEventListener('beforeunload', askBeforeLeaving)
  uploadStore.set({ isRunning: false })
  if (uploadStore.get().files.length > 0 && getNextBatch().length === 0) announceEnd()
}

function putBack(batch: readonly number[]): void {
  uploadStore.setFiles(batch, (file) => ({ ...file, state: 'waiting' }))
  const { files } = uploadStore.get()
  // The part of a large file that arrived is not sent again.
  if (!batch.some((index) => files[index]?.uploadUrl !== undefined)) uploadStore.set({ sentBytes: 0 })
}

async function sendBatch(batch: readonly number[]): Promise<void> {
  const { files: allFiles } = uploadStore.get()
  const files = batch.map((index) => allFiles[index]).filter((file) => file !== undefined)
  const [firstFile] = files
  if (!firstFile) return
  stopRequest = new AbortController()
  const { signal } = stopRequest
  uploadStore.setFiles(batch, (file) => ({ ...file, state: 'sending' }))
  const opened = await Promise.all(files.map(openFile))
  uploadStore.setFiles(batch, (file, position) => ({ ...opened[position]?.found, ...file }))
  const blobs = opened.flatMap(({ blob }) => blob ?? [])
  const onProgress = (sentBytes: number) => uploadStore.set({ sentBytes })
  const [firstBlob] = blobs
  let sent: UploadOutcome[] = []
  if (firstBlob && firstFile.size >= largeBytes) sent = await sendLarge(batch, firstFile, firstBlob, onProgress, signal)
  else if (firstBlob) sent = await storeBatch(firstFile.organizationId, blobs, onProgress, signal)
  const outcomes = opened.map(({ refusal }) => refusal ?? sent.shift())
  uploadStore.set({ sentBytes: 0, trouble: null })
  uploadStore.setFiles(batch, (file, position) => withOutcome(file, outcomes[position]))
}

interface Opened {
  readonly blob?: Blob
  readonly found?: Pick<UploadFile, 'series'>
  readonly refusal?: UploadOutcome
}

/** What cannot be read, such as a damaged part of a zip, is refused by itself: it does not hold up the others. */
const openFile = async (file: UploadFile): Promise<Opened> => {
  if (file.size === 0) return { refusal: { kind: 'refused', reason: 'This file is empty.', isNoImage: true } }
  try {
    const blob = await file.open()
    if (!(await isReadable(blob))) return { refusal: { kind: 'refused', reason: sayGone() } }
    // Out of a zip: only now, unpacked, it can say whose it is.
    const series = file.head ? undefined : await parseSeries(blob).catch(() => undefined)
    return { blob, ...(series && { found: { series } }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'This file could not be read.'
    return { refusal: { kind: 'refused', reason } }
  }
}

const sayGone = (): string => 'This file is no longer there, or has changed since it was chosen. Choose it again.'

/** A disc that was taken out would look like a lost line, which is waited for without end. */
const isReadable = (blob: Blob): Promise<boolean> =>
  new Response(blob.slice(0, 1)).arrayBuffer().then(
    () => true,
    () => false,
  )

async function sendLarge(
  batch: readonly number[],
  file: UploadFile,
  blob: Blob,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal,
): Promise<UploadOutcome[]> {
  // A file that cannot be recognized later is sent all the same.
  const key = await fingerprint(file.organizationId, blob).catch(() => undefined)
  const onUploadUrl = (uploadUrl: string) => {
    resumableUploads.keep(key, uploadUrl)
    uploadStore.setFiles(batch, (current) => ({ ...current, uploadUrl }))
  }
  const uploadUrl = file.uploadUrl ?? resumableUploads.find(key)
  if (uploadUrl !== undefined) onUploadUrl(uploadUrl)
  const outcomes = await storeResumable(file.organizationId, blob, { uploadUrl, onUploadUrl, onProgress, signal })
  resumableUploads.forget(key)
  return outcomes
}

function withOutcome(file: UploadFile, outcome: UploadOutcome | undefined): UploadFile {
  if (!outcome) return { ...file, state: 'refused', reason: '' }
  if (outcome.kind === 'refused') {
    const isSkipped = outcome.isNoImage === true && isBesideImages(file.path)
    return { ...file, state: 'refused', reason: outcome.reason, isSkipped }
  }
  return { ...file, state: outcome.kind, seriesUID: outcome.seriesUID }
}

// Ends early when the connection is back, or when pause or clear need it.
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      removeEventListener('online', end)
      wakeUp = undefined
      resolve()
    }
    addEventListener('online', end)
    wakeUp = end
  })
}

function announceEnd(): void {
  refresh(scan.scanLists)
  const { files } = uploadStore.get()
  const refused = files.filter(isRefused).length
  if (!files.some(isStored) && refused === 0) notify.info('Nothing was uploaded: there was no image among the files')
  else if (refused === 0) notify.success('Upload finished')
  else notify.warning(`Upload finished, ${refused} of ${files.length} files refused`)
}

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
