import { createHash } from 'node:crypto'
import { ReleaseRef, type Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'
import { StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'

const text = v.string('Give a text.')

/** What one check came to. */
export const Finding = v.strictObject({
  /** `needs`, `routes`, `contract`, `budget`, `files`, or `journey <part>`. */
  check: text,
  passed: v.boolean('passed is true or false.'),
  /** One sentence: what was seen, or why not. */
  says: text,
  /** What to do about it. */
  cure: v.optional(text),
  seconds: v.number('seconds is a number.'),
})
export type Finding = v.InferOutput<typeof Finding>

const Candidate = v.pick(ReleaseRef, ['name', 'releaseId'])

/** Whether these exact releases were seen working beside those others. */
export const Verdict = v.strictObject({
  candidates: v.array(Candidate, 'candidates is a list.'),
  others: v.array(Candidate, 'others is a list.'),
  passed: v.boolean('passed is true or false.'),
  findings: v.array(Finding, 'findings is a list.'),
  by: text,
  at: text,
  /** Folder with the browser's report, on the machine that tried it. */
  report: v.optional(text),
})
export type Verdict = v.InferOutput<typeof Verdict>

type Pairing = Pick<Verdict, 'candidates' | 'others'>

/** A candidate snapshot as the releases that are new in it and those that stand beside them. What a page would fall back to plays no part. */
export function toPairing({ host, remotes, viewer }: Snapshot, names: readonly string[]): Pairing {
  const all = [host, ...remotes, ...(viewer ? [viewer] : [])]
    .map(({ name, releaseId }) => ({ name, releaseId }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return {
    candidates: all.filter(({ name }) => names.includes(name)),
    others: all.filter(({ name }) => !names.includes(name)),
  }
}

// Readable for who lists the store: the candidates, then a name for all of the others.
function verdictKey({ candidates, others }: Pairing): string {
  const beside = createHash('sha256').update(JSON.stringify(others)).digest('hex').slice(0, 16)
  return `verdicts/${candidates.map(({ name, releaseId }) => `${name}-${releaseId}`).join('+')}/${beside}`
}

/** The newest verdict on a pair, or undefined where it was never tried. */
export async function readVerdict(store: ReleaseStore, pair: Pairing): Promise<Verdict | undefined> {
  const key = verdictKey(pair)
  const newest = Math.max(0, ...(await listNumbers(store, key)))
  if (newest === 0) return undefined
  const content = (await store.read(`${key}/${newest}.json`))?.toString('utf8') ?? ''
  const result = v.safeParse(v.pipe(text, v.parseJson(), Verdict), content)
  if (!result.success)
    throw new StoreError(
      `The verdict ${store.location}/${key}/${newest}.json cannot be read. Delete it and check again.`,
    )
  return result.output
}

/** Adds a verdict; an earlier one on the same pair stays beside it. */
export async function addVerdict(store: ReleaseStore, verdict: Verdict): Promise<void> {
  const key = verdictKey(verdict)
  const content = Buffer.from(`${JSON.stringify(v.parse(Verdict, verdict), null, 1)}\n`)
  let number = Math.max(0, ...(await listNumbers(store, key))) + 1
  while (!(await store.add(`${key}/${number}.json`, content))) number += 1
}

const listNumbers = async (store: ReleaseStore, key: string): Promise<number[]> =>
  (await store.list(key)).map((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : 0))

/** A line for each check, with the cure below what failed. */
export function formatVerdict({ candidates, findings, others, report }: Verdict): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, passed, says, cure, seconds }) => [
    `  ${passed ? '✓' : '✗'} ${check.padEnd(width)}  ${says}${seconds >= 1 ? ` (${seconds.toFixed(1)} s)` : ''}`,
    ...(passed || !cure ? [] : [`    ${' '.repeat(width)}  → ${cure}`]),
  ])
  const who = candidates.map(({ name, releaseId }) => `${name} ${releaseId}`).join(', ')
  return [
    `${who} beside ${others.map(({ name, releaseId }) => `${name} ${releaseId.slice(0, 8)}`).join(', ') || 'nothing'}:`,
    ...lines,
    ...(report === undefined ? [] : [`  Report: ${report}`]),
  ].join('\n')
}
