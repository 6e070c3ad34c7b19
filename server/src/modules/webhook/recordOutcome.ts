import type { PauseReason } from '@dmp/contract/webhook'
import { sql } from 'kysely'
import type { Dependencies } from '../../dependencies.ts'
import { fullName } from '../../identity/user.ts'
import { longestPauseSeconds, pauseAfter, restAfter, retrySeconds } from './retries.ts'
import type { Outcome } from './sendDelivery.ts'
import type { DeliveryRow } from './delivery.repository.ts'
import type { WebhookRow } from './webhookStatus.ts'

type Needed = Pick<Dependencies, 'db' | 'write' | 'mail' | 'publicUrl'>

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Has its time come? A pause that is too long is one from before the clock was set back. */
export const isDue = sql<boolean>`(webhook_deliveries.next_try_date <= now()
  or webhook_deliveries.next_try_date > now() + make_interval(secs => ${longestPauseSeconds}))`

/** Writes down what became of a try; returns whether the webhook may go on at once. */
export async function recordOutcome(
  deps: Needed,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  outcome: Outcome,
): Promise<boolean> {
  if (outcome.problem === null) {
    await recordDelivered(deps, webhook, delivery, outcome)
    return true
  }
  const reason = await recordFailed(deps, webhook, delivery, outcome)
  if (reason) await pauseForGood(deps, webhook, reason)
  return false
}

const tried = ({ status, answer, milliseconds, problem }: Outcome) => ({
  tries: sql<number>`tries + 1`,
  first_try_date: sql<Date>`coalesce(first_try_date, now())`,
  tried_date: sql<Date>`now()`,
  answer_status: status,
  answer,
  milliseconds,
  problem,
})

/** The webhook first, then its deliveries: in the order in which people's calls lock them. */
const recordDelivered = ({ db }: Needed, { id }: WebhookRow, delivery: DeliveryRow, outcome: Outcome): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx
      .updateTable('webhooks')
      .set({ failing_since: null, failures: 0, rest_until: null, delivered_date: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await trx
      .updateTable('webhook_deliveries')
      .set({ ...tried(outcome), status: 'Delivered' })
      .where('id', '=', delivery.id)
      .execute()
  })

/**
 * Returns why the webhook has to be paused, if it has: its message then waits like all others. A message that was tried
 * for three days while others were accepted has failed alone.
 */
const recordFailed = (
  { db }: Needed,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  outcome: Outcome,
): Promise<'Gone' | 'Failing' | undefined> =>
  db.transaction().execute(async (trx) => {
    const wished = outcome.retryAfterSeconds
    const pause = Math.max(pauseAfter(delivery.tries + 1, Math.random()), wished)
    const isAway = sql<boolean>`failing_since <= now() - make_interval(secs => ${retrySeconds})`
    const receiver = await trx
      .updateTable('webhooks')
      .set({
        failing_since: sql<Date>`coalesce(failing_since, now())`,
        failures: sql<number>`failures + 1`,
        rest_until: inSeconds(Math.max(restAfter(webhook.failures + 1, Math.random()), wished)),
      })
      .where('id', '=', webhook.id)
      .returning(isAway.as('isAway'))
      .executeTakeFirst()
    const away = receiver?.isAway ? 'Failing' : undefined
    const reason = outcome.status === 410 ? 'Gone' : away
    // The last try comes when the three days end, and none after it.
    const end = sql<Date>`coalesce(first_try_date, now()) + make_interval(secs => ${retrySeconds})`
    await trx
      .updateTable('webhook_deliveries')
      .set({
        ...tried(outcome),
        status: reason ? 'Waiting' : sql`case when now() >= ${end} then 'Failed' else 'Waiting' end`,
        next_try_date: sql<Date>`least(${inSeconds(pause)}, ${end})`,
      })
      .where('id', '=', delivery.id)
      .execute()
    return reason
  })

const reasons: Readonly<Record<Exclude<PauseReason, 'Person'>, string>> = {
  Failing: 'Its receiver has accepted nothing for three days, so the webhook is paused.',
  Gone: 'Its receiver answered 410 (gone), which asks us to send nothing more, so the webhook is paused.',
  Secret: 'The server has another key now and cannot make the secret of this webhook any more, so it is paused.',
}
const cures: Readonly<Record<Exclude<PauseReason, 'Person'>, string>> = {
  Failing: 'Repair the receiver, then resume the webhook: what waits is delivered then.',
  Gone: 'If this was not intended, repair the receiver and resume the webhook: what waits is delivered then. If it was, delete the webhook.',
  Secret: 'Make a new secret, give it to the receiver, and resume the webhook: what waits is delivered then.',
}

/** Somebody paused, changed or deleted it while its receiver was asked. */
class NotAnyMore extends Error {}

/** Until a person decides; its owner is told by mail. */
export async function pauseForGood(
  { write, mail, publicUrl }: Needed,
  webhook: WebhookRow,
  reason: Exclude<PauseReason, 'Person'>,
): Promise<void> {
  const request = { id: 'webhooks', ip: 'this server' }
  const done = write({ request }, async ({ trx, audit, afterwards }) => {
    // Another address or another secret has not failed.
    const { numUpdatedRows } = await trx
      .updateTable('webhooks')
      .set({ paused_date: sql<Date>`now()`, paused_reason: reason })
      .where('id', '=', webhook.id)
      .where('paused_date', 'is', null)
      .where('url', '=', webhook.url)
      .where('secret_check', '=', webhook.secret_check)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new NotAnyMore()
    await mail.queue(trx, {
      to: webhook.owner_email,
      subject: `A webhook of ${webhook.organization_name} is paused`,
      name: fullName(webhook),
      paragraphs: [
        `The webhook “${webhook.name}” sends to ${new URL(webhook.url).host}.`,
        reasons[reason],
        cures[reason],
      ],
      link: { label: 'Open the webhook', address: `${publicUrl()}/account/webhooks/${webhook.id}` },
    })
    afterwards(() => mail.deliver())
    await audit({
      event: 'WebhookPaused',
      organizationId: webhook.organization_id,
      subject: { webhookId: webhook.id, name: webhook.name, reason },
    })
  })
  await done.catch((cause: unknown) => {
    if (!(cause instanceof NotAnyMore)) throw cause
  })
}
