import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as v from 'valibot'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import { canonicalJson, type AuditKeys } from '../../db/auditHash.ts'
import type { Db } from '../../db/client.ts'
import type { Settings } from '../../settings/settings.ts'
import { listNewestRows } from './heads.ts'

/** While an installation is upgraded, servers of the version before append rows without a key for so long. */
const upgradeMs = 24 * 3_600_000

const Content = v.object({
  /** Whether the installation never had a row without a key. */
  isBornKeyed: v.boolean(),
  /** When the first keyed row was written. */
  since: v.pipe(v.string(), v.isoTimestamp()),
  /** Of each chain a record that has a key. */
  keyedRecords: v.record(v.string(), v.number()),
  keyId: v.string(),
})
const Signed = v.object({ ...Content.entries, mac: v.string() })

/**
 * What the data folder remembers of the time when the chains got their keys. Without it, somebody who writes to the
 * database could make the whole past anew as rows of the version without keys, and it would pass for an upgrade.
 */
export type KeyedSince = v.InferOutput<typeof Content>

/** `foreign` where the file was not written by this platform, or was changed. */
export type KnownKeyed = KeyedSince | 'foreign' | undefined

export const toKeyedFile = ({ dataDir }: Pick<Settings, 'dataDir'>): string => join(dataDir, 'audit-keyed.json')

const toText = ({ isBornKeyed, since, keyedRecords, keyId }: KeyedSince): string =>
  `audit keyed since ${canonicalJson([isBornKeyed, since, keyedRecords, keyId])}`

export function readKeyedSince(settings: Pick<Settings, 'dataDir'>, keys: AuditKeys): KnownKeyed {
  const file = toKeyedFile(settings)
  if (!existsSync(file)) return undefined
  const parsed = v.safeParse(Signed, parseJson(readFileSync(file, 'utf8')))
  if (!parsed.success) return 'foreign'
  const { mac, ...content } = parsed.output
  const expected = keys.find(content.keyId)?.mac(toText(content))
  return expected !== undefined && isEqualSecret(expected, mac) ? content : 'foreign'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Written once, as the database is found, after its chains were given keys. */
export async function writeKeyedSince(settings: Settings, db: Db, keys: AuditKeys): Promise<void> {
  const { rows } = await sql<{ hasUnkeyed: boolean }>`
    select exists (select 1 from audit where hash_version = 1) as "hasUnkeyed"`.execute(db)
  const content: KeyedSince = {
    isBornKeyed: rows[0]?.hasUnkeyed !== true,
    since: ((await findFirstKeyed(db)) ?? new Date()).toISOString(),
    keyedRecords: Object.fromEntries(
      (await listNewestRows(db)).filter((row) => row.hash_version > 1).map(({ chain, position }) => [chain, position]),
    ),
    keyId: keys.current.id,
  }
  const file = toKeyedFile(settings)
  const staged = `${file}.${randomUUID()}`
  await mkdir(settings.dataDir, { recursive: true })
  await writeFile(staged, JSON.stringify({ ...content, mac: keys.current.mac(toText(content)) }), { mode: 0o600 })
  await rename(staged, file)
}

async function findFirstKeyed(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{
    at: Date | null
  }>`select min(at) as at from audit where hash_version > 1 and isfinite(at)`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Until when a keyed row may follow rows without a key. */
export async function findUpgradeEnd(known: KnownKeyed, db: Db): Promise<number> {
  if (known !== undefined && known !== 'foreign')
    return known.isBornKeyed ? -Infinity : Date.parse(known.since) + upgradeMs
  const first = await findFirstKeyed(db)
  return first === undefined ? Infinity : first.getTime() + upgradeMs
}
