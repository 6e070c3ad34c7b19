import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { openBucket, type Bucket } from '@dmp/bucket'
import { sql } from 'kysely'
import * as v from 'valibot'
import { signHead, type AuditHead, type AuditKeys } from '../../db/auditHash.ts'
import type { Source } from '../../db/client.ts'
import { toBucketAccess } from '../../outside/openObjectStore.ts'
import { StartFailure } from '../../core/StartFailure.ts'
import type { Settings } from '../../settings/settings.ts'

/** The newest row of each chain, found by skipping from chain to chain: the table is never read as a whole. */
export async function listNewestRows(
  db: Source,
): Promise<{ chain: string; position: number; hash: string; hash_version: number }[]> {
  const { rows } = await sql<{ chain: string; position: number; hash: string; hash_version: number }>`
    with recursive chains as (
      (select chain from audit order by chain limit 1)
      union all
      select (select audit.chain from audit where audit.chain > chains.chain order by audit.chain limit 1)
      from chains where chains.chain is not null)
    select newest.chain, newest.position, newest.hash, newest.hash_version
    from chains cross join lateral
      (select * from audit where audit.chain = chains.chain order by position desc limit 1) newest
    order by newest.chain`.execute(db)
  return rows
}

export async function listHeads(db: Source, keys: AuditKeys): Promise<AuditHead[]> {
  const at = new Date().toISOString()
  return (await listNewestRows(db)).map(({ chain, position, hash }) => signHead({ chain, position, hash, at }, keys))
}

export const formatHeads = (heads: readonly AuditHead[]): string =>
  heads.map((head) => `${JSON.stringify({ auditHead: head })}\n`).join('')

const HeadLine = v.object({
  auditHead: v.object({
    chain: v.string(),
    position: v.pipe(v.number(), v.safeInteger()),
    hash: v.string(),
    at: v.string(),
    keyId: v.string(),
    mac: v.string(),
  }),
})

/** The head that a line holds: of the file, of a log, or of a mail. */
export function parseHead(line: string): AuditHead | undefined {
  const start = line.indexOf('{')
  if (start === -1 || !line.includes('"auditHead"')) return undefined
  try {
    const parsed = v.safeParse(HeadLine, JSON.parse(line.slice(start)))
    return parsed.success ? parsed.output.auditHead : undefined
  } catch {
    return undefined
  }
}

/** A head, and where it was found. */
export interface FoundHead {
  readonly head: AuditHead
  readonly source: string
}

async function* readLines(stream: Readable, source: string): AsyncGenerator<FoundHead> {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    const head = parseHead(line)
    if (head) yield { head, source }
  }
}

export async function* readHeadFile(file: string): AsyncGenerator<FoundHead> {
  if (!existsSync(file)) return
  yield* readLines(createReadStream(file), file)
}

export const toHeadFile = ({ auditHeads, dataDir }: Pick<Settings, 'auditHeads' | 'dataDir'>): string =>
  auditHeads ?? join(dataDir, 'audit-heads.jsonl')

/** The bucket of the heads; undefined where none is set. */
export function openHeadBucket(settings: Settings): Bucket | undefined {
  if (settings.auditBucket === undefined) return undefined
  const access = toBucketAccess(settings)
  if (access === undefined)
    throw new StartFailure(
      'DMP_AUDIT_BUCKET is set without keys. Set DMP_S3_ACCESS_KEY_ID and DMP_S3_SECRET_ACCESS_KEY as well.',
    )
  const { host, pathname } = new URL(settings.auditBucket)
  return openBucket({ ...access, bucket: host, prefix: `${pathname.slice(1)}/`.replace(/^\/$/, '') })
}

const bucketFolder = 'audit-heads/'

export async function writeToBucket(bucket: Bucket, heads: readonly AuditHead[], lockDays: number): Promise<void> {
  const now = new Date()
  await bucket.put(
    `${bucketFolder}${now.toISOString()}.jsonl`,
    new TextEncoder().encode(formatHeads(heads)),
    lockDays === 0 ? {} : { lockedUntil: new Date(now.getTime() + lockDays * 86_400_000) },
  )
}

async function* readBucket(bucket: Bucket): AsyncGenerator<FoundHead> {
  for await (const { key } of bucket.list(bucketFolder)) {
    const content = await bucket.get(key)
    if (content) yield* readLines(content.stream, `bucket ${bucket.location}`)
  }
}

/** The heads of every place that the settings lead to, one by one, and of further files such as logs. */
export async function* readHeads(settings: Settings, files: readonly string[] = []): AsyncGenerator<FoundHead> {
  for (const file of [toHeadFile(settings), ...files]) yield* readHeadFile(file)
  const bucket = openHeadBucket(settings)
  if (bucket) yield* readBucket(bucket)
}
