import type { AuditCheck } from '@dmp/contract/audit'
import { sql } from 'kysely'
import { toChain } from '../../db/audit.ts'
import { canonicalJson, type AuditKeys } from '../../db/auditHash.ts'
import { isEqualSecret } from '../../core/isEqualSecret.ts'
import type { Db } from '../../db/client.ts'
import type { Job } from '../../db/jobs.ts'
import type { Context, Viewer } from '../../core/context.ts'
import type { Dependencies } from '../../dependencies.ts'
import { adviseOn, describeBreak } from './chainBreak.ts'
import { walkChains, type Verdict } from './chainWalk.ts'
import { readHeads } from './heads.ts'
import { readKeyedSince } from './keyedSince.ts'

type CheckDependencies = Pick<Dependencies, 'db' | 'write' | 'keys' | 'jobs' | 'settings'>

/** A walk that made no step for so long is over: its server died, and so did those that tried again. */
const silence = sql`interval '10 minutes'`
const isRunning = sql<boolean>`audit_checks.finished_date is null and audit_checks.progress_date > now() - ${silence}`

/** The provider's administrators check every chain, others that of their organization. */
const toScope = (viewer: Viewer): string | null => (viewer.isInternal ? null : toChain(viewer.organizationId))

/** Begins a walk in the background, unless one of the same chains is on its way. */
export async function beginCheck({ db, write, jobs }: CheckDependencies, context: Context): Promise<void> {
  const chain = toScope(context.viewer)
  const isBegun = await write(context, async ({ trx, audit }) => {
    await sql`select pg_advisory_xact_lock(hashtext('audit check'), hashtext(${chain ?? ''}))`.execute(trx)
    const running = await trx
      .selectFrom('audit_checks')
      .select('id')
      .where(sql<boolean>`chain is not distinct from ${chain}`)
      .where(isRunning)
      .executeTakeFirst()
    if (running === undefined) {
      const { id } = await trx
        .insertInto('audit_checks')
        .values({ chain, requested_by: context.viewer.userId, ...notFinished })
        .returning('id')
        .executeTakeFirstOrThrow()
      await jobs.add(trx, 'audit-check', [{ id }])
    }
    await audit({ event: 'AuditChecked', subject: { chains: chain === null ? 'all' : 'own' } })
    return running === undefined
  })
  if (isBegun) jobs.wake('audit-check')
  await forgetOldChecks(db)
}

const notFinished = { finished_date: null, verdict: null, verdict_mac: null, key_id: null } as const

/** Only the newest is shown; the audit rows tell that there were others. */
const forgetOldChecks = (db: Db) =>
  sql`delete from audit_checks where requested_date < now() - interval '1 year'`.execute(db)

/** Walks as a job. It may begin again at any point. */
export async function runCheck({ db, keys, settings }: CheckDependencies, { id, signal }: Job): Promise<void> {
  const check = await db
    .selectFrom('audit_checks')
    .select(['id', 'chain', 'requested_by', 'requested_date'])
    .where('id', '=', id)
    .where('finished_date', 'is', null)
    .executeTakeFirst()
  if (!check) return
  const update = (change: object) =>
    db
      .updateTable('audit_checks')
      .set({ progress_date: sql<Date>`now()`, ...change })
      .where('id', '=', id)
      .execute()
  const found = await walkChains({
    db,
    keys: keys.audit,
    chain: check.chain ?? undefined,
    heads: readHeads(settings),
    known: readKeyedSince(settings, keys.audit),
    signal,
    onRows: async (rows_walked) => void (await update({ rows_walked })),
  })
  const verdict = JSON.stringify(found)
  const { current } = keys.audit
  const finished_date = new Date()
  await update({
    finished_date,
    rows_walked: found.rows,
    verdict,
    verdict_mac: current.mac(verdictText({ ...check, finished_date, verdict })),
    key_id: current.id,
  })
}

/** Its dates and its person are in it, or an earlier verdict could be shown as the newest. */
const verdictText = (check: Omit<StoredVerdict, 'verdict_mac' | 'key_id'>): string => {
  const { id, chain, requested_by, requested_date, finished_date, verdict } = check
  return `audit verdict 2 ${canonicalJson([id, chain, requested_by, requested_date, finished_date, verdict])}`
}

/** The newest check of what the viewer may check; null where there was none. */
export async function findLastCheck(
  { db, keys }: Pick<Dependencies, 'db' | 'keys'>,
  viewer: Viewer,
): Promise<AuditCheck | null> {
  const chain = toScope(viewer)
  const row = await db
    .selectFrom('audit_checks')
    .leftJoin('users', 'users.id', 'audit_checks.requested_by')
    .selectAll('audit_checks')
    .select(sql<string | null>`concat_ws(' ', users.civility, users.first_name, users.last_name)`.as('requester'))
    .select(isRunning.as('isRunning'))
    .where(sql<boolean>`chain is not distinct from ${chain}`)
    .orderBy('requested_date', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const verdict = readVerdict(keys.audit, row)
  const breaks = verdict?.breaks ?? []
  const names = await nameChains(db, [...new Set(breaks.map((found) => found.chain))])
  return {
    state: row.isRunning ? 'running' : verdict === undefined ? 'stopped' : breaks.length > 0 ? 'broken' : 'intact',
    isWhole: chain === null,
    requestedAt: row.requested_date.toISOString(),
    requestedBy: row.requester || null,
    finishedAt: verdict && row.finished_date ? row.finished_date.toISOString() : null,
    rows: row.rows_walked,
    chains: verdict?.chains ?? 0,
    heads: verdict?.heads ?? 0,
    breakCount: verdict?.breakCount ?? 0,
    breaks: breaks.map((found) => ({
      organization: names.get(found.chain) ?? found.chain,
      position: found.position,
      text: describeBreak(found),
      advice: adviseOn(found),
    })),
  }
}

interface StoredVerdict {
  readonly id: string
  readonly chain: string | null
  readonly requested_by: string
  readonly requested_date: Date
  readonly finished_date: Date | null
  readonly verdict: string | null
  readonly verdict_mac: string | null
  readonly key_id: string | null
}

/** The clocks of the database and of several servers may differ by so much. */
const clockSkewMs = 5 * 60_000

/** A verdict that this platform did not write counts for nothing, nor does one from the future. */
function readVerdict(keys: AuditKeys, check: StoredVerdict): Verdict | undefined {
  const { verdict, verdict_mac, key_id, requested_date, finished_date } = check
  if (verdict === null || finished_date === null) return undefined
  const mac = keys.find(key_id)?.mac(verdictText(check))
  if (mac === undefined || !isEqualSecret(mac, verdict_mac ?? '')) return undefined
  // The date of the request comes from the database, where it could be changed before the walk ended.
  const isFromFuture =
    finished_date.getTime() > Date.now() + clockSkewMs ||
    requested_date.getTime() > finished_date.getTime() + clockSkewMs
  if (isFromFuture) return undefined
  return JSON.parse(verdict) as Verdict
}

/** The names of the organizations whose chains these are. */
export async function nameChains(db: Db, chains: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (chains.length === 0) return new Map()
  const rows = await db
    .selectFrom('organizations')
    .select([sql<string>`id::text`.as('chain'), 'name'])
    .where(sql<string>`id::text`, 'in', [...chains])
    .execute()
  return new Map([['platform', 'the platform'], ...rows.map(({ chain, name }) => [chain, name] as const)])
}
