import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Caller } from '../core/context.ts'
import { recordEach, type Actor, type AuditedAct, type AuditEntry } from './audit.ts'
import type { AuditKeys } from './auditHash.ts'
import { insideTransaction, type Db } from './client.ts'
import type { Bus, News } from './bus.ts'
import type { ChangeNews } from './changeNews.ts'
import { recordChanges, type ScanChange } from './changes.ts'
import { addInboxFacts } from './inboxFacts.ts'
import type { InboxNews } from './inboxNews.ts'
import { noteWrites } from './lastWrites.ts'
import { isLineLost, isUndone } from './lostLine.ts'
import { DatabaseAway } from './patience.ts'
import type { Replicas } from './replicas.ts'
import type { Tables } from './tables/index.ts'

/** One change of the data: its transaction, its audit row, and the news for others once it is committed. */
export interface Write {
  readonly trx: Transaction<Tables>
  /**
   * Records what happened; every write records at least once, or it is rolled back. Record last: others wait for the
   * chain.
   */
  audit(entry: AuditEntry): Promise<void>
  /** The same where the requests of several callers share the transaction: a row for each. */
  auditEach(acts: readonly { readonly context: WriteContext; readonly entry: AuditEntry }[]): Promise<void>
  /** Tells programs what became of scans; after the audit row, because others wait for the numbers as well. */
  tell(organizationId: string, changes: readonly ScanChange[]): Promise<void>
  /** Tells all servers with the commit: for what ends rights, which no dead server may keep from the others (P11). */
  announce(news: News): Promise<void>
  /** Runs after the commit, in order; not when the write fails. */
  afterwards(step: () => void): void
}

export type WriteContext = { readonly viewer?: Actor; readonly request: Pick<Caller, 'id' | 'ip'> }

/**
 * What lost its line before the commit, or was undone for another transaction's sake, runs again: a change touches
 * nothing but its `trx`, and what else is to happen is a step of `afterwards`.
 *
 * @example
 * const write = createWriter(db, keys.audit)
 * await write(context, async ({ trx, audit, afterwards }) => { await trx.updateTable(…); await audit({ event:
 * 'UserActivated', subject: { userId } }) })
 */
export type Writer = <T>(context: WriteContext, change: (write: Write) => Promise<T>) => Promise<T>

interface WriteNews {
  /** Absent in commands that nobody listens to. */
  readonly bus?: Pick<Bus, 'announce'>
  readonly changeNews?: ChangeNews
  readonly inboxNews?: InboxNews
  /** Where replicas are read from: nobody gets an answer there that lacks what they wrote. */
  readonly replicas?: Pick<Replicas, 'areThere'>
}

const toAct = ({ viewer, request }: WriteContext, entry: AuditEntry): AuditedAct => ({
  actor: viewer ?? null,
  request,
  entry,
})

export const createWriter =
  (db: Db, auditKeys: AuditKeys, news: WriteNews = {}): Writer =>
  async (context, change) => {
    for (let tries = 1; ; tries += 1) {
      const fate: Fate = { isCommitting: false }
      try {
        return await createWriterOnce(db, auditKeys, news, fate)(context, change)
      } catch (cause) {
        if (tries === mostTries || !isWithoutTrace(cause, fate)) throw cause
        await pause(firstPauseMs * 3 ** (tries - 1) * (0.5 + Math.random()))
      }
    }
  }

/** A line that broke is back in moments, or a fail-over has begun, which nobody's request waits for. */
const mostTries = 4
const firstPauseMs = 50

interface Fate {
  isCommitting: boolean
}

/** Whether nothing of the write was kept. Of a commit without an answer nobody knows. */
const isWithoutTrace = (cause: unknown, { isCommitting }: Fate): boolean =>
  isUndone(cause) || (!isCommitting && isLineLost(cause) && !(cause instanceof DatabaseAway))

const createWriterOnce =
  (db: Db, auditKeys: AuditKeys, { bus, changeNews, inboxNews, replicas }: WriteNews, fate: Fate): Writer =>
  async (context, change) => {
    const steps: (() => void)[] = []
    const actorIds = new Set<string>()
    let recorded = 0
    const result = await db.transaction().execute((trx) => {
      const recordActs = async (acts: readonly AuditedAct[]): Promise<void> => {
        await recordEach({ trx, keys: auditKeys }, acts)
        recorded += acts.length
        for (const { actor, entry } of acts) {
          if (actor) actorIds.add(actor.userId)
          if (entry.isNews === false) continue
          const audiences = await addInboxFacts(trx, actor, entry)
          steps.push(() => audiences.forEach((audience) => inboxNews?.(audience)))
        }
      }
      return insideTransaction.run(true, async () => {
        const returned = await change({
          trx,
          audit: (entry) => recordActs([toAct(context, entry)]),
          auditEach: (acts) => recordActs(acts.map((act) => toAct(act.context, act.entry))),
          tell: async (organizationId, changes) => {
            await recordChanges(trx, organizationId, changes)
            if (changes.length > 0) steps.push(() => changeNews?.(organizationId))
          },
          announce: async (news) => {
            const tellHere = await bus?.announce(trx, news)
            if (tellHere) steps.push(tellHere)
          },
          afterwards: (step) => void steps.push(step),
        })
        if (recorded === 0) throw new Error('A write without an audit row. What cannot be recorded does not happen.')
        if (replicas?.areThere) await noteWrites(trx, actorIds)
        fate.isCommitting = true
        return returned
      })
    })
    for (const step of steps) step()
    return result
  }
