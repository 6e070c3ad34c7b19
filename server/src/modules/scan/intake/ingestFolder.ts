import { createReadStream, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { forEachInLanes } from '../../../core/semaphore.ts'
import {
  isPrepared,
  prepare,
  type IncomingObject,
  type IntakeDependencies,
  type IntakeOutcome,
  type PreparedObject,
} from './intake.ts'
import { commit } from './commit.ts'

export interface IngestSummary {
  files: number
  bytes: number
  stored: number
  duplicates: number
  /** By reason: its sentence and the first few files. */
  readonly refused: Map<string, { sentence: string; count: number; examples: string[] }>
  readonly series: Set<string>
}

const groupSize = 32
const maxConcurrentFiles = 6
const maxExamples = 3

/** Every regular file below a folder; links are not followed, hidden files are left out. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) paths.push(...(await listFiles(path)))
    else if (entry.isFile()) paths.push(path)
  }
  return paths
}

export const emptySummary = (): IngestSummary => ({
  files: 0,
  bytes: 0,
  stored: 0,
  duplicates: 0,
  refused: new Map(),
  series: new Set(),
})

/** Takes in every DICOM object below a folder; `onProgress` is called after each file. A signal ends it. */
export const ingestFolder = async (
  deps: IntakeDependencies,
  incoming: IncomingObject,
  folder: string,
  maxBytes: number,
  onProgress: (summary: IngestSummary, total: number) => void,
  signal?: AbortSignal,
): Promise<IngestSummary> => {
  const files = await listFiles(folder)
  const options = { maxBytes, onProgress, ...(signal && { signal }) }
  return ingestFiles(
    deps,
    incoming,
    files.map((path) => toIngestFile(folder, path)),
    emptySummary(),
    options,
  )
}

/** A file that may be an object, wherever it lies. */
export interface IngestFile {
  /** As a refusal calls it. */
  readonly name: string
  /** What it has to be; without one any DICOM object is taken. */
  readonly sha256?: string | undefined
  measure(): number | Promise<number>
  read(): AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

export const toIngestFile = (folder: string, path: string, sha256?: string): IngestFile => ({
  name: relative(folder, path),
  sha256,
  measure: async () => (await stat(path)).size,
  read: () => createReadStream(path, { highWaterMark: 2 ** 18 }),
})

interface IngestOptions {
  readonly maxBytes: number
  readonly onProgress: (summary: IngestSummary, total: number) => void
  readonly signal?: AbortSignal
}

const damaged = {
  kind: 'refused',
  reason: 'DAMAGED',
  sentence: 'The file is not the one that was exported: its SHA-256 is another one.',
} as const

/** Takes in files, and adds to the summary what became of each. */
export async function ingestFiles(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  files: readonly IngestFile[],
  summary: IngestSummary,
  { maxBytes, onProgress, signal }: IngestOptions,
): Promise<IngestSummary> {
  const record = (name: string, bytes: number, outcome: IntakeOutcome | typeof damaged): void => {
    summary.files += 1
    summary.bytes += bytes
    if (outcome.kind === 'refused') addRefusal(summary, name, outcome)
    else {
      summary[outcome.kind === 'stored' ? 'stored' : 'duplicates'] += 1
      summary.series.add(outcome.seriesUID)
    }
    onProgress(summary, files.length)
  }
  for (let at = 0; at < files.length; at += groupSize) {
    signal?.throwIfAborted()
    const group: { name: string; bytes: number; prepared: PreparedObject }[] = []
    await forEachInLanes(
      maxConcurrentFiles,
      files.slice(at, at + groupSize),
      async ({ name, sha256, measure, read }) => {
        const size = await measure()
        const prepared = await prepare(deps, incoming, await read(), maxBytes)
        if (!isPrepared(prepared)) record(name, size, prepared)
        else if ((sha256 ?? prepared.staged.sha256) === prepared.staged.sha256)
          group.push({ name, bytes: size, prepared })
        else {
          await deps.objects.discard([prepared.staged])
          record(name, size, damaged)
        }
      },
    ).catch(async (cause: unknown) => {
      await deps.objects.discard(group.map(({ prepared }) => prepared.staged))
      throw cause
    })
    if (group.length === 0) continue
    const outcomes = await commit(
      deps,
      incoming,
      group.map((item) => item.prepared),
    )
    outcomes.forEach((outcome, index) => record(group[index]?.name ?? '', group[index]?.bytes ?? 0, outcome))
  }
  return summary
}

/** Counts it, and names the first few. */
export function addRefusal(
  summary: Pick<IngestSummary, 'refused'>,
  name: string,
  outcome: { readonly reason: string; readonly sentence: string },
): void {
  const reason = summary.refused.get(outcome.reason) ?? { sentence: outcome.sentence, count: 0, examples: [] }
  reason.count += 1
  if (reason.examples.length < maxExamples) reason.examples.push(name)
  summary.refused.set(outcome.reason, reason)
}
