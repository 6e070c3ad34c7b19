import { sql, type Transaction } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { goRounds, reasonOf } from '../../../core/rounds.ts'
import { record, type AuditEntry } from '../../../db/audit.ts'
import { addInboxFacts, type InboxAudience } from '../../../db/inboxFacts.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { readAlertRules } from '../../organization/organization.alertRules.ts'
import { createJudge, type Person } from './judging.ts'
import { readOpenings, readPerson, writeAlerts, writeOpenings, type OpeningOf } from './openings.ts'

const everyMs = 20_000
/** Events of a chain that one transaction judges, and how many of those a round begins. */
const sliceSize = 1000
const slicesPerRound = 40

type Judge = Pick<Dependencies, 'db' | 'keys' | 'log' | 'inboxNews'>

/**
 * Looks at what people opened since the last look, behind their answers. Every server looks; who locks an
 * organization's cursor first judges, and alerts are written together with the cursor, so that each is raised once.
 */
export const watchAccess = (app: FastifyInstance, deps: Dependencies): void =>
  goRounds(app, {
    everyMs,
    round: () => judgeAccess(deps),
    log: deps.log,
    failure: 'what people opened was not judged',
  })

/** One round: those that waited longest first, a slice of each. */
export async function judgeAccess(deps: Judge): Promise<void> {
  // What happened before anybody watched is not told.
  await sql`insert into alert_cursors (organization_id, position, judged_date)
    select o.id, coalesce((select max(position) from audit where chain = o.id::text), 0), now() from organizations o
    where not exists (select from alert_cursors c where c.organization_id = o.id)
    on conflict do nothing`.execute(deps.db)
  for (let slices = 0; slices < slicesPerRound; slices += 1) {
    const { rows } = await sql<{ organization_id: string }>`
      select c.organization_id from alert_cursors c
      where c.position < (select max(position) from audit where chain = c.organization_id::text)
      order by c.judged_date, c.organization_id limit 1`.execute(deps.db)
    const [next] = rows
    if (!next) return
    const { organization_id: id } = next
    const audiences = await deps.db
      .transaction()
      .execute((trx) => judgeSlice(deps, trx, id))
      .catch(async (error: unknown) => {
        deps.log.warn({ reason: reasonOf(error) }, 'what people opened in an organization was not judged')
        // The others come first now.
        await deps.db
          .updateTable('alert_cursors')
          .set({ judged_date: sql<Date>`clock_timestamp()` })
          .where('organization_id', '=', id)
          .execute()
      })
    // Another server has it, or it failed.
    if (!audiences) continue
    audiences.forEach((audience) => deps.inboxNews(audience))
  }
}

async function judgeSlice(
  { keys }: Judge,
  trx: Transaction<Tables>,
  organizationId: string,
): Promise<InboxAudience[] | undefined> {
  const cursor = await trx
    .selectFrom('alert_cursors')
    .select('position')
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!cursor) return undefined
  const head = await sql<{ position: number | null }>`
    select max(position) as position from audit where chain = ${organizationId}::text`.execute(trx)
  const until = Math.min(cursor.position + sliceSize, head.rows[0]?.position ?? cursor.position)
  await trx
    .updateTable('alert_cursors')
    .set({ position: until, judged_date: sql<Date>`clock_timestamp()` })
    .where('organization_id', '=', organizationId)
    .execute()
  const opened = await readOpenings(trx, organizationId, cursor.position, until)
  const added = await judgeOpenings(trx, organizationId, opened)
  const audiences: InboxAudience[] = []
  for (const alertId of added) {
    const entry: AuditEntry = { event: 'AccessAlertRaised', organizationId, subject: { alertId } }
    audiences.push(...(await addInboxFacts(trx, null, entry)))
  }
  // Last, because others wait for the chain.
  for (const alertId of added)
    await record(
      { trx, keys: keys.audit },
      null,
      { id: 'alerts', ip: 'this server' },
      { event: 'AccessAlertRaised', organizationId, subject: { alertId } },
    )
  return audiences
}

/** Returns the ids of new alerts. */
async function judgeOpenings(
  trx: Transaction<Tables>,
  organizationId: string,
  opened: readonly OpeningOf[],
): Promise<string[]> {
  const [first] = opened
  if (!first) return []
  const judge = createJudge(await readAlertRules(trx, organizationId))
  const people = new Map<string, { readonly person: Person; readonly keys: Set<string> }>()
  for (const opening of opened) {
    const { userId, at } = opening
    const known = people.get(userId) ?? {
      person: await readPerson(trx, organizationId, userId, at),
      keys: new Set<string>(),
    }
    people.set(userId, known)
    for (const { key } of opening.patients) known.keys.add(key)
    judge(known.person, opening)
  }
  const added: string[] = []
  for (const [userId, { person, keys }] of people) {
    await writeOpenings(trx, organizationId, userId, person, [...keys])
    added.push(...(await writeAlerts(trx, organizationId, userId, person)))
  }
  return added
}
