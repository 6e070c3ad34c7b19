import { createHash } from 'node:crypto'
import { ReleaseRef, type Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'
import { StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'

const text = v.string('Must be text.')

/** The result of one check. */
export const Finding = v.strictObject({
  /** `needs`, `routes`, `contract`, `budget`, `files`, `journey <part>`, or `accessibility <part>`. */
  check: text,
  passed: v.boolean('passed is true or false.'),
  /** The finding, in one sentence. */
  says: text,
  /** The cure. */
  cure: v.optional(text),
  seconds: v.number('seconds is a number.'),
})
export type Finding = v.InferOutput<typeof Finding>

const Candidate = v.pick(ReleaseRef, ['name', 'releaseId'])

/** Whether these exact releases work beside those others. */
export const Verdict = v.strictObject({
  candidates: v.array(Candidate, 'candidates is a list.'),
  others: v.array(Candidate, 'others is a list.'),
  passed: v.boolean('passed is true or false.'),
  findings: v.array(Finding, 'findings is a list.'),
  by: text,
  at: text,
  /** The browser's report, on the machine that ran it. */
  report: v.optional(text),
})
export type Verdict = v.InferOutput<typeof Verdict>

type Pairing = Pick<Verdict, 'candidates' | 'others'>

/** Splits a snapshot into the releases that are new in it and the others. Fallback releases are left out. */
export function toPairing({ host, remotes, viewer }: Snapshot, parts: readonly string[]): Pairing {
  const releases = [host, ...remotes, ...(viewer ? [viewer] : [])]
    .map(({ name, releaseId }) => ({ name, releaseId }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return {
    candidates: releases.filter(({ name }) => parts.includes(name)),
    others: releases.filter(({ name }) => !parts.includes(name)),
  }
}

// Readable in a listing of the store: the candidates, then one hash for all of the others.
function verdictKey({ candidates, others }: Pairing): string {
  const othersHash = createHash('sha256').update(JSON.stringify(others)).digest('hex').slice(0, 16)
  return `verdicts/${candidates.map(({ name, releaseId }) => `${name}-${releaseId}`).join('+')}/${othersHash}`
}

/** The newest verdict on a pairing; undefined if it was never tried. */
export async function readVerdict(store: ReleaseStore, pairing: Pairing): Promise<Verdict | undefined> {
  const key = verdictKey(pairing)
  const newest = Math.max(0, ...(await listNumbers(store, key)))
  if (newest === 0) return undefined
  const content = (await store.read(`${key}/${newest}.json`))?.toString('utf8') ?? ''
  const result = v.safeParse(v.pipe(text, v.parseJson(), Verdict), content)
  if (!result.success)
    throw new StoreError(
      `The verdict ${store.location}/${key}/${newest}.json is not readable. Delete it and run the check again.`,
    )
  return result.output
}

/** Adds a verdict; earlier ones on the same pairing stay. */
export async function addVerdict(store: ReleaseStore, verdict: Verdict): Promise<void> {
  const key = verdictKey(verdict)
  const content = Buffer.from(`${JSON.stringify(v.parse(Verdict, verdict), null, 1)}\n`)
  let number = Math.max(0, ...(await listNumbers(store, key))) + 1
  while (!(await store.add(`${key}/${number}.json`, content))) number += 1
}

const listNumbers = async (store: ReleaseStore, key: string): Promise<number[]> =>
  (await store.list(key)).map((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : 0))

/** One line per check, with the cure below each failure. */
export function formatVerdict({ candidates, findings, others, report }: Verdict): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, passed, says, cure, seconds }) => [
    `  ${passed ? '✓' : '✗'} ${check.padEnd(width)}  ${says}${seconds >= 1 ? ` (${seconds.toFixed(1)} s)` : ''}`,
    ...(passed || !cure ? [] : [`    ${' '.repeat(width)}  → ${cure}`]),
  ])
  const candidateNames = candidates.map(({ name, releaseId }) => `${name} ${releaseId}`).join(', ')
  return [
    `${candidateNames} beside ${others.map(({ name, releaseId }) => `${name} ${releaseId.slice(0, 8)}`).join(', ') || 'nothing'}:`,
    ...lines,
    ...(report === undefined ? [] : [`  Report: ${report}`]),
  ].join('\n')
}
