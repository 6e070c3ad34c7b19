import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

/** The files of an export, and what stands in them. `schema.json` beside them says the same to other programs. */

const Text = v.string()
const Maybe = v.nullable(Text)
/** Anybody may have made the folder: what becomes a key or part of a row of people is short. */
const Short = v.pipe(Text, v.maxLength(300))
const MaybeShort = v.nullable(Short)
const Count = v.number()

export const Person = v.object({
  email: v.pipe(Text, v.email(), v.maxLength(255)),
  civility: v.pipe(Text, v.maxLength(20)),
  firstName: v.pipe(Text, v.minLength(1), v.maxLength(255)),
  lastName: v.pipe(Text, v.minLength(1), v.maxLength(255)),
  mobile: MaybeShort,
  landline: MaybeShort,
  fax: MaybeShort,
  role: Text,
  status: Text,
})
const Complaint = v.object({
  id: Short,
  number: Count,
  createdBy: Text,
  createdDate: Text,
  module: Text,
  type: Text,
  severity: Text,
  status: Text,
  description: Text,
  history: v.array(v.object({ status: Text, createdBy: Text, comment: Maybe, createdDate: Text })),
  messages: v.array(v.object({ createdBy: Text, text: Text, createdDate: Text })),
  picture: v.nullable(v.object({ filename: Text, mediaType: Text, base64: Text })),
})
/** Nothing that opens a link: neither its secret nor a hash of it or of its password. */
const Link = v.object({
  id: Short,
  createdBy: Text,
  createdDate: Text,
  expireDate: Text,
  revokedDate: Maybe,
  lastUsedDate: Maybe,
  uses: Count,
  maxUses: v.nullable(Count),
  allowsDownload: v.boolean(),
  hasPassword: v.boolean(),
  recipient: Maybe,
  seriesUIDs: v.array(Text),
})
const AuditEvent = v.object({
  id: Short,
  position: Count,
  at: Text,
  event: Text,
  outcome: Text,
  actorId: Maybe,
  subject: v.record(Text, v.unknown()),
  requestId: Text,
  address: Text,
  previousHash: Text,
  hash: Text,
  hashVersion: Count,
  keyId: Maybe,
})
/** What the organization had brought along from elsewhere. */
const Imported = v.object({ id: Short, kind: Short, content: v.record(Text, v.unknown()) })

export const recordFiles = {
  people: Person,
  complaints: Complaint,
  links: Link,
  audit: AuditEvent,
  imported: Imported,
} as const
export type RecordKind = keyof typeof recordFiles
export const recordKinds = Object.keys(recordFiles) as readonly RecordKind[]

export const formatName = 'dmp-organization-export'
export const ExportHead = v.object({
  format: v.literal(formatName),
  version: v.literal(1),
  organizationId: v.pipe(Text, v.uuid()),
  organization: Short,
  date: Short,
  /** How many there are of each, and of objects. */
  counts: v.record(Text, Count),
})
export type ExportHead = v.InferOutput<typeof ExportHead>

export const createSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: Object.fromEntries(
    recordKinds.map((kind) => [
      kind,
      { type: 'array', items: toJsonSchema(recordFiles[kind], { target: 'draft-2020-12', errorMode: 'ignore' }) },
    ]),
  ),
})

/** Folders of scans, each a DICOM file set of its own. */
export const setPattern = /^scans-\d{4,}$/
export const toSetName = (number: number): string => `scans-${String(number).padStart(4, '0')}`
export const sumsFile = 'SHA256SUMS'
/** More than any export has: its head, a list of hashes, and a row with its picture. */
export const mostHeadBytes = 64 * 1024
export const mostSumsBytes = 16 * 2 ** 20
export const mostRowChars = 16 * 2 ** 20

/** As `sha256sum -c` reads it. */
export const toSums = (files: readonly (readonly [path: string, sha256: string])[]): string =>
  files.map(([path, sha256]) => `${sha256}  ${path}\n`).join('')

/** Names of files below the folder alone: anybody may have written the list. Undefined when it is no such list. */
export function parseSums(text: string): Map<string, string> | undefined {
  const sums = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, sha256, path] = /^([0-9a-f]{64}) {2}((?:[A-Za-z0-9_-]{1,20}\/){0,2}[A-Za-z0-9._-]{1,40})$/.exec(line) ?? []
    if (sha256 === undefined || path === undefined || path.includes('..')) return undefined
    sums.set(path, sha256)
  }
  return sums
}

export const hashBytes = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Writes beside the place and moves it there when it is whole, on the disk. Returns its SHA-256. */
export async function writeWhole(path: string, content: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(content, watch, createWriteStream(`${path}.part`, { mode: 0o600, flush: true }), { signal })
  await rename(`${path}.part`, path)
  return hash.digest('hex')
}

/** A list of JSON with a row on each line, so that a reader needs no more memory than a row. */
export async function* toJsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let isFirst = true
  for await (const row of rows) {
    yield `${isFirst ? '[\n' : ',\n'}${JSON.stringify(row)}`
    isFirst = false
  }
  yield isFirst ? '[]\n' : '\n]\n'
}
