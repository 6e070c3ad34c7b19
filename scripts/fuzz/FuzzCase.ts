import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'

/**
 * One request. `{{token}}`, `{{location}}` (the last Location) and `{{stored}}` (where the last stored object is) are
 * replaced when it is sent, so that a case can be played again on another server.
 */
export interface HttpStep {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body?: string
  /** The line breaks after so many bytes of the body. */
  readonly cutAt?: number
  /** The only right answer; without it every answer but an error of the server is. */
  readonly status?: number
}

/** A live channel: frames are base64; those that begin with `{` when decoded are sent as text. */
export interface LiveStep {
  readonly live: string
  readonly frames: readonly string[]
}

export type Step = HttpStep | LiveStep

export interface FuzzCase {
  readonly target: string
  /** What was wrong when it was found. */
  readonly problem?: string
  readonly steps: readonly Step[]
}

export const caseFolder = join(root, 'scripts/fuzz/cases')

export function listCases(): { name: string; fuzzCase: FuzzCase }[] {
  return readdirSync(caseFolder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name, fuzzCase: JSON.parse(readFileSync(join(caseFolder, name), 'utf8')) as FuzzCase }))
}

/** Keeps a case for the tests; the same steps have the same name. */
export function saveCase(fuzzCase: FuzzCase, folder = caseFolder): string {
  const hash = createHash('sha256').update(JSON.stringify(fuzzCase.steps)).digest('hex').slice(0, 12)
  const file = join(folder, `${fuzzCase.target}-${hash}.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(fuzzCase, null, 2)}\n`)
  return file
}
