import { forEachInLanes } from '../../../core/semaphore.ts'
import { createReadStream, type Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import {
  commit,
  isPrepared,
  prepare,
  type IncomingObject,
  type IntakeDependencies,
  type IntakeOutcome,
  type Prepared,
} from './intake.ts'

export interface IngestSummary {
  files: number
  bytes: number
  accepted: number
  duplicates: number
  /** By reason, with the sentence and the first few files. */
  readonly refused: Map<string, { sentence: string; count: number; examples: string[] }>
  readonly series: Set<string>
}

const GROUP = 32
const AT_ONCE = 6
const EXAMPLES = 3

/** Every regular file below a folder; links are not followed, hidden files are left out. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await filesBelow(path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

/** Takes every DICOM object below a folder in; `onProgress` hears of each file that is settled. */
export async function ingestFolder(
  deps: IntakeDependencies,
  arrival: IncomingObject,
  folder: string,
  maxBytes: number,
  onProgress: (summary: IngestSummary, total: number) => void,
): Promise<IngestSummary> {
  const files = await filesBelow(folder)
  const summary: IngestSummary = {
    files: 0,
    bytes: 0,
    accepted: 0,
    duplicates: 0,
    refused: new Map(),
    series: new Set(),
  }
  const settle = (path: string, bytes: number, outcome: IntakeOutcome): void => {
    summary.files += 1
    summary.bytes += bytes
    if (outcome.kind === 'refused') note(summary, relative(folder, path), outcome)
    else {
      summary[outcome.kind === 'accepted' ? 'accepted' : 'duplicates'] += 1
      summary.series.add(outcome.seriesUID)
    }
    onProgress(summary, files.length)
  }
  for (let at = 0; at < files.length; at += GROUP) {
    const group: { path: string; bytes: number; prepared: Prepared }[] = []
    await forEachInLanes(AT_ONCE, files.slice(at, at + GROUP), async (path) => {
      const { size } = await stat(path)
      const prepared = await prepare(
        deps.objects,
        arrival,
        createReadStream(path, { highWaterMark: 2 ** 18 }),
        maxBytes,
      )
      if (isPrepared(prepared)) group.push({ path, bytes: size, prepared })
      else settle(path, size, prepared)
    })
    if (group.length === 0) continue
    const outcomes = await commit(
      deps,
      arrival,
      group.map((one) => one.prepared),
    )
    outcomes.forEach((outcome, index) => settle(group[index]?.path ?? '', group[index]?.bytes ?? 0, outcome))
  }
  return summary
}

function note(summary: IngestSummary, path: string, outcome: Extract<IntakeOutcome, { kind: 'refused' }>): void {
  const known = summary.refused.get(outcome.reason) ?? { sentence: outcome.sentence, count: 0, examples: [] }
  known.count += 1
  if (known.examples.length < EXAMPLES) known.examples.push(path)
  summary.refused.set(outcome.reason, known)
}
