import { createHash } from 'node:crypto'
import { ReleaseRef, type Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'
import { StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'

const text = v.string('Must be text.')

/** Screens of a trial, which has the people and scans of the demo: JPEG, in base64. */
const Pictures = v.strictObject({
  /** Where something failed, or the first screen of the part. */
  seen: text,
  /** The first screen of the release that is live, as its own trial saw it. */
  live: v.optional(text),
})
export type Pictures = v.InferOutput<typeof Pictures>

const StoredFinding = v.strictObject({
  /** `needs`, `routes`, `contract`, `budget`, `files`, `journey <part>`, `accessibility <part>`, or `looks <part>`. */
  check: text,
  passed: v.boolean('passed is true or false.'),
  /** The finding, in one sentence. */
  says: text,
  /** The cure. */
  cure: v.optional(text),
  seconds: v.number('seconds is a number.'),
})
/** The result of one check. */
export type Finding = v.InferOutput<typeof StoredFinding> & { readonly pictures?: Pictures | undefined }

const Candidate = v.pick(ReleaseRef, ['name', 'releaseId'])

/** Whether these exact releases work beside those others. */
const StoredVerdict = v.strictObject({
  candidates: v.array(Candidate, 'candidates is a list.'),
  others: v.array(Candidate, 'others is a list.'),
  passed: v.boolean('passed is true or false.'),
  findings: v.array(StoredFinding, 'findings is a list.'),
  by: text,
  at: text,
  /** The browser's report, on the machine that ran it. */
  report: v.optional(text),
})
export type Verdict = Omit<v.InferOutput<typeof StoredVerdict>, 'findings'> & { readonly findings: readonly Finding[] }

/** Pictures of a verdict by what was checked. They lie beside it: servers of before read it without them. */
const StoredPictures = v.record(text, Pictures)

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

/** File systems allow 255 bytes to a name. */
const maxNameChars = 200

// Readable in a listing of the store: the candidates, then one hash for all of the others.
function verdictKey({ candidates, others }: Pairing): string {
  const hash = (refs: Pairing['others']) => createHash('sha256').update(JSON.stringify(refs)).digest('hex').slice(0, 16)
  const names = candidates.map(({ name, releaseId }) => `${name}-${releaseId}`).join('+')
  const first = names.length <= maxNameChars ? names : `${candidates.length}-together-${hash(candidates)}`
  return `verdicts/${first}/${hash(others)}`
}

/** The newest verdict on a pairing; undefined if it was never tried. */
export async function readVerdict(store: ReleaseStore, pairing: Pairing): Promise<Verdict | undefined> {
  const key = verdictKey(pairing)
  const newest = Math.max(0, ...(await listNumbers(store, key)))
  if (newest === 0) return undefined
  const content = (await store.read(`${key}/${newest}.json`))?.toString('utf8') ?? ''
  const result = v.safeParse(v.pipe(text, v.parseJson(), StoredVerdict), content)
  if (!result.success)
    throw new StoreError(
      `The verdict ${store.location}/${key}/${newest}.json is not readable. Delete it and run the check again.`,
    )
  const pictures = await readPictures(store, key, newest)
  const { findings } = result.output
  return {
    ...result.output,
    findings: findings.map((finding) => ({
      ...finding,
      ...(pictures[finding.check] && { pictures: pictures[finding.check] }),
    })),
  }
}

/** None where a trial left none, or where they cannot be read: a verdict holds without them. */
async function readPictures(
  store: ReleaseStore,
  key: string,
  number: number,
): Promise<v.InferOutput<typeof StoredPictures>> {
  const content = (await store.read(picturesKey(key, number)))?.toString('utf8') ?? '{}'
  const result = v.safeParse(v.pipe(text, v.parseJson(), StoredPictures), content)
  return result.success ? result.output : {}
}

const picturesKey = (key: string, number: number): string => `${key}/${number}.pictures.json`

/** The first screen of a release as its newest trial saw it, alone beside whatever was live then; JPEG, in base64. */
export async function readLooks(store: ReleaseStore, name: string, releaseId: string): Promise<string | undefined> {
  const own = `verdicts/${name}-${releaseId}`
  for (const others of await store.list(own)) {
    const key = `${own}/${others}`
    const newest = Math.max(0, ...(await listNumbers(store, key)))
    const seen = (await readPictures(store, key, newest))[`looks ${name}`]?.seen
    if (seen !== undefined) return seen
  }
  return undefined
}

/** Adds a verdict; earlier ones on the same pairing stay. */
export async function addVerdict(store: ReleaseStore, verdict: Verdict): Promise<void> {
  const key = verdictKey(verdict)
  const findings = verdict.findings.map(({ pictures: _pictures, ...finding }) => finding)
  const content = Buffer.from(`${JSON.stringify(v.parse(StoredVerdict, { ...verdict, findings }), null, 1)}\n`)
  let number = Math.max(0, ...(await listNumbers(store, key))) + 1
  while (!(await store.add(`${key}/${number}.json`, content))) number += 1
  const pictures = verdict.findings.flatMap(({ check, pictures }) => (pictures ? [[check, pictures] as const] : []))
  if (pictures.length > 0)
    await store.add(picturesKey(key, number), Buffer.from(JSON.stringify(Object.fromEntries(pictures))))
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
