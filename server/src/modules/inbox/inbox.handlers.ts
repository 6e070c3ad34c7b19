import type { inbox } from '@dmp/contract'
import { inboxKinds, inboxKindsFor } from '@dmp/contract/inbox'
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import type { Context, Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { readChoices, readFacts } from './inbox.repository.ts'
import { toBursts, toEntry, type Burst } from './toEntries.ts'

export const inboxHandlers = (deps: Dependencies): Handlers<typeof inbox> => {
  const recordAccess = createAccessAudit(deps)
  return {
    async list({ page, pageSize }, context) {
      const bursts = await readBursts(deps, context.viewer)
      const shown = bursts.slice((page - 1) * pageSize, page * pageSize)
      await recordNames(shown, context, recordAccess)
      return { entries: shown.map(toEntry), total: bursts.length, unread: countUnread(bursts) }
    },

    count: async (_input, { viewer }) => ({ unread: countUnread(await readBursts(deps, viewer)) }),

    markRead: ({ id }, { viewer }) =>
      change(deps, viewer, async (bursts) => {
        const wanted = id.toLowerCase()
        const burst = bursts.find((other) => other.some((fact) => fact.id === wanted))
        if (!burst) return
        // What came since the page was drawn was not seen there.
        const seen = burst.slice(burst.findIndex((fact) => fact.id === wanted))
        await sql`insert into inbox_reads (user_id, fact_id, read_date)
          select ${viewer.userId}::uuid, id, created_date from inbox_facts
          where id = any(${seen.map((fact) => fact.id)}::uuid[])
          on conflict (user_id, fact_id) do update set read_date = excluded.read_date`.execute(deps.db)
      }),

    markAllRead: ({ until }, { viewer }) =>
      change(deps, viewer, async ([newest]) => {
        // A time to come would hide what is still to come; a page knows milliseconds, the database less than that.
        const last = Math.min(Date.parse(until) + 1, (newest?.[0].created_date.getTime() ?? 0) + 1)
        await deps.db
          .insertInto('inbox_marks')
          .values({ user_id: viewer.userId, read_until: new Date(last) })
          .onConflict((on) =>
            on
              .column('user_id')
              .doUpdateSet((set) => ({ read_until: set.ref('excluded.read_until') }))
              .whereRef('inbox_marks.read_until', '<', 'excluded.read_until'),
          )
          .execute()
      }),

    listChoices: (_input, { viewer }) => readChoices(deps.db, viewer),

    async choose({ kind, choice }, context) {
      const { viewer } = context
      const { offers } = inboxKinds[kind]
      if (!inboxKindsFor(viewer.policy).includes(kind) || !offers.includes(choice)) {
        const message = `This can be: ${offers.join(', ')}.`
        throw new Refusal(400, 'INVALID', message, [{ path: 'choice', message }])
      }
      await deps.write(context, async ({ trx, audit }) => {
        const row = { user_id: viewer.userId, kind, choice, told_date: new Date() }
        await trx
          .insertInto('inbox_choices')
          .values({ ...row, mailed_date: null })
          .onConflict((on) => on.columns(['user_id', 'kind']).doUpdateSet({ choice, told_date: row.told_date }))
          .execute()
        await audit({ event: 'PreferencesChanged', subject: { userId: viewer.userId, inbox: kind, choice } })
      })
      return readChoices(deps.db, viewer)
    },
  }
}

/** What the person wants to see: the rest is not even counted. */
async function readBursts({ db }: Dependencies, viewer: Viewer): Promise<Burst[]> {
  const off = new Set((await readChoices(db, viewer)).flatMap(({ kind, choice }) => (choice === 'Off' ? [kind] : [])))
  return toBursts((await readFacts(db, viewer)).filter(({ kind }) => !off.has(kind)))
}

const countUnread = (bursts: readonly Burst[]): number => bursts.filter(([fact]) => fact.read_date === null).length

/** A mark, and the news of it for the person's other pages. */
async function change(
  deps: Dependencies,
  viewer: Viewer,
  mark: (bursts: readonly Burst[]) => Promise<void>,
): Promise<{ unread: number }> {
  await mark(await readBursts(deps, viewer))
  deps.inboxNews({ userId: viewer.userId, organizationId: null })
  return { unread: countUnread(await readBursts(deps, viewer)) }
}

/** Names of patients are shown to nobody unrecorded (P24). */
async function recordNames(
  bursts: readonly Burst[],
  context: Context,
  recordAccess: ReturnType<typeof createAccessAudit>,
): Promise<void> {
  const organizations = new Set(bursts.flatMap(([fact]) => (fact.patient_name === null ? [] : [fact.organization_id])))
  for (const organizationId of organizations)
    await recordAccess(context, { event: 'ScansQueried', organizationId, subject: { list: 'inbox' } })
}
