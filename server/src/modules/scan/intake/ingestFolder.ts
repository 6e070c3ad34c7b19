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
import { commit } from './intake.repository.ts'

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

/** Takes in every DICOM object below a folder; `onProgress` is called after each file. */
export async function ingestFolder(
  deps: IntakeDependencies,
  incoming: IncomingObject,
  folder: string,
  maxBytes: number,
  onProgress: (summary: IngestSummary, total: number) => void,
): Promise<IngestSummary> {
  const files = await listFiles(folder)
  const summary: IngestSummary = {
    files: 0,
    bytes: 0,
    stored: 0,
    duplicates: 0,
    refused: new Map(),
    series: new Set(),
  }
  const record = (path: string, bytes: number, outcome: IntakeOutcome): void => {
    summary.files += 1
    summary.bytes += bytes
    if (outcome.kind === 'refused') addRefusal(summary, relative(folder, path), outcome)
    else {
      summary[outcome.kind === 'stored' ? 'stored' : 'duplicates'] += 1
      summary.series.add(outcome.seriesUID)
    }
    onProgress(summary, files.length)
  }
  for (let at = 0; at < files.length; at += groupSize) {
    const group: { path: string; bytes: number; prepared: PreparedObject }[] = []
    await forEachInLanes(maxConcurrentFiles, files.slice(at, at + groupSize), async (path) => {
      const { size } = await stat(path)
      const prepared = await prepare(deps, incoming, createReadStream(path, { highWaterMark: 2 ** 18 }), maxBytes)
      if (isPrepared(prepared)) group.push({ path, bytes: size, prepared })
      else record(path, size, prepared)
    })
    if (group.length === 0) continue
    const outcomes = await commit(
      deps,
      incoming,
      group.map((item) => item.prepared),
    )
    outcomes.forEach((outcome, index) => record(group[index]?.path ?? '', group[index]?.bytes ?? 0, outcome))
  }
  return summary
}

function addRefusal(summary: IngestSummary, path: string, outcome: Extract<IntakeOutcome, { kind: 'refused' }>): void {
  const reason = summary.refused.get(outcome.reason) ?? { sentence: outcome.sentence, count: 0, examples: [] }
  reason.count += 1
  if (reason.examples.length < maxExamples) reason.examples.push(path)
  summary.refused.set(outcome.reason, reason)
}
