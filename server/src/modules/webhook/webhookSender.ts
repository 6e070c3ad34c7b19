import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { FairTurns, TooManyWaiting } from '../../core/fairTurns.ts'
import type { Dependencies } from '../../dependencies.ts'
import { planDeliveries } from './planDeliveries.ts'
import { isDue, pauseForGood, recordOutcome } from './recordOutcome.ts'
import { sendDelivery, type SendOptions } from './sendDelivery.ts'
import { isSameKey } from './webhookSecret.ts'
import { selectWebhooks, webhookStatus, type WebhookRow } from './webhookStatus.ts'

type Needed = Pick<Dependencies, 'settings' | 'db' | 'write' | 'keys' | 'mail' | 'publicUrl' | 'log'>

const everyMs = 2000
/** Webhooks that one look finds, and messages that one turn sends. */
const perLook = 200
const perTurn = 20
/** A turn begins no further message after this time: receivers that take long would keep those of others waiting. */
const defaultTurnMs = 10_000
/** Far longer than one try takes: a server that is silent for so long is dead, and another one sends. */
const leaseSeconds = 60

/** Sends what webhooks have to send, each by one server at a time, customers in turn. */
export class WebhookSender {
  readonly #deps: Needed
  readonly #options: SendOptions
  readonly #name = randomUUID()
  readonly #turns = new FairTurns({ atOnce: 16, perCustomer: 2, perPerson: 1, waitingPerPerson: 1, waitingInAll: 1000 })
  readonly #underWay = new Map<string, Promise<void>>()
  #isClosed = false
  /** Called when a webhook had its turn, and has more to send. */
  onMore: () => void = () => undefined

  constructor(deps: Needed, options: SendOptions = {}) {
    this.#deps = deps
    this.#options = options
  }

  /** Begins with all that are due; they go on by themselves. */
  async look(): Promise<void> {
    if (this.#isClosed) return
    for (const { id, organization_id: customer } of await this.#findDue())
      if (!this.#underWay.has(id)) this.#underWay.set(id, this.#takeTurn(id, customer))
  }

  /** The same, and resolves when all of them have had their turn. */
  async round(): Promise<void> {
    await this.look()
    await Promise.all(this.#underWay.values())
  }

  /** No new try begins; those that are under way end within seconds. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#underWay.values())
  }

  #findDue(): Promise<{ id: string; organization_id: string }[]> {
    return selectWebhooks(this.#deps.db)
      .where(webhookStatus, '=', 'Active')
      .where(isFree)
      .where(
        sql<boolean>`(exists (select from webhook_deliveries where webhook_deliveries.webhook_id = webhooks.id
          and webhook_deliveries.status = 'Waiting' and ${isDue})
        or exists (select from change_feeds where change_feeds.organization_id = webhooks.organization_id
          and change_feeds.last_number > webhooks.cursor))`,
      )
      .clearSelect()
      .select(['webhooks.id', 'webhooks.organization_id'])
      .orderBy('webhooks.turn_date')
      .orderBy('webhooks.id')
      .limit(perLook)
      .execute()
  }

  async #takeTurn(id: string, customer: string): Promise<void> {
    let hasMore = false
    try {
      hasMore = await this.#turns.run({ customer, person: id }, () => this.#work(id))
    } catch (error) {
      // The next look finds it again.
      if (!(error instanceof TooManyWaiting))
        this.#deps.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'a webhook was not sent')
    } finally {
      this.#underWay.delete(id)
    }
    if (hasMore) this.onMore()
  }

  /** Returns whether it has more to send. */
  async #work(id: string): Promise<boolean> {
    const { db, publicUrl } = this.#deps
    if (this.#isClosed || !(await this.#take(id))) return false
    try {
      const hasMore = await planDeliveries(db, id, this.#name, publicUrl())
      const end = performance.now() + (this.#options.turnMs ?? defaultTurnMs)
      for (let sent = 0; sent < perTurn && (sent === 0 || performance.now() < end); sent += 1)
        if (this.#isClosed || !(await this.#sendNext(id))) return hasMore && sent > 0
      return true
    } finally {
      await db
        .updateTable('webhooks')
        .set({ sender: null, sender_until: null, turn_date: sql<Date>`clock_timestamp()` })
        .where('id', '=', id)
        .where('sender', '=', this.#name)
        .execute()
    }
  }

  /** From now on no other server sends for it; false where one does already. */
  async #take(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#deps.db
      .updateTable('webhooks')
      .set({ sender: this.#name, sender_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
      .where('id', '=', id)
      .where('paused_date', 'is', null)
      .where(isFree)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The next message that is due; false when there is none, or the receiver has to rest. */
  async #sendNext(id: string): Promise<boolean> {
    // Judged anew for each message: it may have been paused, changed or deleted, and its owner may have left.
    const webhook = await this.#renew(id)
    if (!webhook) return false
    if (!isSameKey(this.#deps.keys, webhook)) {
      await pauseForGood(this.#deps, webhook, 'Secret')
      return false
    }
    const delivery = await this.#deps.db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', id)
      .where('status', '=', 'Waiting')
      .where(isDue)
      .orderBy('place')
      .limit(1)
      .executeTakeFirst()
    if (!delivery) return false
    const outcome = await sendDelivery(this.#deps, webhook, delivery, this.#options)
    return recordOutcome(this.#deps, webhook, delivery, outcome)
  }

  async #renew(id: string): Promise<WebhookRow | undefined> {
    const { db } = this.#deps
    await db
      .updateTable('webhooks')
      .set({ sender_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
      .where('id', '=', id)
      .where('sender', '=', this.#name)
      .execute()
    return selectWebhooks(db)
      .where('webhooks.id', '=', id)
      .where('webhooks.sender', '=', this.#name)
      .where(webhookStatus, '=', 'Active')
      .executeTakeFirst()
  }
}

/**
 * No server sends for it, and its receiver need not rest. What lies too far ahead is from before a clock was set back.
 */
const isFree = sql<boolean>`((webhooks.sender_until is null or webhooks.sender_until <= now()
    or webhooks.sender_until > now() + make_interval(secs => ${2 * leaseSeconds}))
  and (webhooks.rest_until is null or webhooks.rest_until <= now()
    or webhooks.rest_until > now() + interval '2 hours'))`

/** Looks every two seconds, and at once when there is news. */
export function watchWebhooks(app: FastifyInstance, deps: Dependencies): void {
  const { bus, log } = deps
  const sender = new WebhookSender(deps)
  let running: Promise<void> | undefined
  let isAsked = false
  const look = async (): Promise<void> => {
    do {
      isAsked = false
      await sender.look()
    } while (isAsked)
  }
  const ask = (): void => {
    isAsked = true
    running ??= look()
      .catch((error: unknown) =>
        log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'webhooks were not looked at'),
      )
      .finally(() => (running = undefined))
  }
  sender.onMore = ask
  bus.subscribe(({ kind }) => {
    if (['changesRecorded', 'webhooksDue', 'missed'].includes(kind)) ask()
  })
  const timer = setInterval(ask, everyMs)
  timer.unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await sender.close()
    await running
  })
}
