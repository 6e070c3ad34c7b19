import { useSyncExternalStore } from 'react'
import { scan } from '@dmp/contract'
import { isTemporary, refresh, session, useSession } from '@dmp/kit'
import { notify, tasks } from '@dmp/kit/ui'
import type { PickedFile } from './droppedFiles.ts'
import { bytesOf } from './groups.ts'
import { markOf, places } from './places.ts'
import { seriesOf } from './seriesOf.ts'
import { store, storeWhole } from './stow.ts'
import { isDone, type UploadFile, type Uploads } from './uploadFile.ts'

const none: Uploads = { owner: '', files: [], sentBytes: 0, isRunning: false, isPaused: false, trouble: null }
const batchFiles = 32
const batchBytes = 16_000_000
/** From here on a file goes alone, in a way that goes on where a broken line left it. */
const largeBytes = 8_000_000
const headsAtOnce = 50
const firstRetryMs = 1000
const longestRetryMs = 30_000

let state = none
let stopRequest = new AbortController()
let wakeUp: (() => void) | undefined
const listeners = new Set<() => void>()

function set(change: Partial<Uploads>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
  tellTray()
}

const taskId = 'scan/upload'
const whoever = (): string => session.get().user?.email ?? ''

function tellTray(): void {
  const { files, isPaused, trouble } = state
  if (files.length === 0) return tasks.remove(taskId)
  const { sent, all } = bytesOf(state)
  const done = files.filter(isDone).length
  const refused = files.filter((file) => file.state === 'refused').length
  const isOver = done === files.length
  const isStuck = trouble !== null && !trouble.isPassing
  tasks.put({
    id: taskId,
    title: 'Upload',
    url: '/scan/upload',
    percent: isOver ? 100 : Math.floor((100 * sent) / all),
    state: isStuck
      ? 'failed'
      : !isOver
        ? isPaused || trouble
          ? 'waiting'
          : 'running'
        : refused > 0
          ? 'failed'
          : 'done',
    note: trouble?.message ?? `${done} of ${files.length} files${refused > 0 ? `, ${refused} refused` : ''}`,
  })
}

/** The uploads of this page: they go on while other screens of the application are shown. */
export function useUploads(): Uploads {
  const owner = useSession(({ user }) => user?.email ?? '')
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
  return current.owner === owner ? current : none
}

export const uploads = {
  /** Adds files to what is under way, and begins. */
  add(organizationId: string, picked: readonly PickedFile[]): void {
    if (state.owner !== whoever()) uploads.clear()
    set({
      owner: whoever(),
      files: [...state.files, ...picked.map((one): UploadFile => ({ ...one, organizationId, state: 'waiting' }))],
      trouble: null,
    })
    void readSeries()
    void run()
  },
  pause(): void {
    set({ isPaused: true })
    stopRequest.abort()
    wakeUp?.()
  },
  resume(): void {
    set({ isPaused: false, trouble: null })
    void run()
  },
  /** Stops and forgets everything; what the server has stays. */
  clear(): void {
    stopRequest.abort()
    wakeUp?.()
    set({ ...none, isRunning: state.isRunning })
  },
}

/** The next files of one organization that fit into one request; at least one. */
export function nextBatch(files: readonly UploadFile[]): number[] {
  const batch: number[] = []
  let bytes = 0
  for (const [index, one] of files.entries()) {
    if (one.state !== 'waiting') continue
    const isLarge = one.size >= largeBytes
    if (isLarge && batch.length === 0) return [index]
    if (isLarge) continue
    const isOther = batch.length > 0 && files[batch[0] ?? 0]?.organizationId !== one.organizationId
    if (batch.length > 0 && (isOther || batch.length >= batchFiles || bytes + one.size > batchBytes)) break
    batch.push(index)
    bytes += one.size
  }
  return batch
}

const marked = (
  batch: readonly number[],
  change: (file: UploadFile, place: number) => UploadFile,
): readonly UploadFile[] =>
  state.files.map((file, index) => (batch.includes(index) ? change(file, batch.indexOf(index)) : file))

async function run(): Promise<void> {
  if (state.isRunning) return
  set({ isRunning: true })
  addEventListener('beforeunload', askBeforeLeaving)
  let retryMs = firstRetryMs
  for (let batch = nextBatch(state.files); batch.length > 0 && !state.isPaused; batch = nextBatch(state.files)) {
    if (state.owner !== whoever()) break
    try {
      await sendBatch(batch)
      retryMs = firstRetryMs
    } catch (error) {
      // What arrived of a large file is not sent again.
      const keeps = batch.some((index) => state.files[index]?.place !== undefined)
      set({ files: marked(batch, (file) => ({ ...file, state: 'waiting' })), ...(!keeps && { sentBytes: 0 }) })
      if (error instanceof DOMException && error.name === 'AbortError') continue
      const canPass = isTemporary(error)
      set({
        trouble: { message: error instanceof Error ? error.message : 'An unknown error occurred', isPassing: canPass },
      })
      if (!canPass) break
      await sleep(retryMs)
      retryMs = Math.min(2 * retryMs, longestRetryMs)
    }
  }
  removeEventListener('beforeunload', askBeforeLeaving)
  set({ isRunning: false })
  if (state.files.length > 0 && nextBatch(state.files).length === 0) sayDone()
}

async function sendBatch(batch: readonly number[]): Promise<void> {
  const files = batch.map((index) => state.files[index]).filter((file) => file !== undefined)
  const [first] = files
  if (!first) return
  stopRequest = new AbortController()
  const { signal } = stopRequest
  set({ files: marked(batch, (file) => ({ ...file, state: 'sending' })) })
  const blobs = await Promise.all(files.map((file) => file.open()))
  const [blob] = blobs
  const onProgress = (sentBytes: number) => set({ sentBytes })
  const isAlone = first.size >= largeBytes && blob !== undefined
  // What cannot be told again later is sent all the same.
  const mark = isAlone ? await markOf(first.organizationId, blob).catch(() => undefined) : undefined
  const onPlace = (place: string) => {
    places.keep(mark, place)
    set({ files: marked(batch, (file) => ({ ...file, place })) })
  }
  const before = first.place ?? places.of(mark)
  if (before !== undefined) onPlace(before)
  const fates = isAlone
    ? await storeWhole(first.organizationId, blob, { place: before, onPlace }, onProgress, signal)
    : await store(first.organizationId, blobs, onProgress, signal)
  places.forget(mark)
  set({
    sentBytes: 0,
    trouble: null,
    files: marked(batch, (file, place) => {
      const fate = fates[place]
      if (!fate || fate.kind === 'refused') return { ...file, state: 'refused', reason: fate?.reason ?? '' }
      return { ...file, state: fate.kind, seriesUID: fate.seriesUID }
    }),
  })
}

let isReading = false

/** Finds out which series the files belong to, while the first ones travel already. */
async function readSeries(): Promise<void> {
  if (isReading) return
  isReading = true
  const read = new WeakSet<Blob>()
  for (;;) {
    const next = state.files.filter(({ head, series }) => head && !series && !read.has(head)).slice(0, headsAtOnce)
    if (next.length === 0) break
    const found = new Map(
      await Promise.all(
        next.map(async ({ head }) => [head, head && (await seriesOf(head).catch(() => undefined))] as const),
      ),
    )
    for (const { head } of next) if (head) read.add(head)
    set({
      files: state.files.map((file) => {
        const series = file.head && found.get(file.head)
        return series ? { ...file, series } : file
      }),
    })
  }
  isReading = false
}

// Ends early when the line is back, or when pause or clear need it.
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      removeEventListener('online', done)
      wakeUp = undefined
      resolve()
    }
    addEventListener('online', done)
    wakeUp = done
  })
}

function sayDone(): void {
  refresh([scan.list, scan.getStorage])
  const refused = state.files.filter((file) => file.state === 'refused').length
  if (refused === 0) notify.success('Upload finished')
  else notify.warning(`Upload finished, ${refused} of ${state.files.length} files refused`)
}

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
