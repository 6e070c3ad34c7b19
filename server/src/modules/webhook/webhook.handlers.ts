import { limits, type webhook } from '@dmp/contract'
import type { WebhookDraft } from '@dmp/contract/webhook'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Write } from '../../db/write.ts'
import type { Dependencies } from '../../dependencies.ts'
import { findFault } from '../../outside/outgoing/destination.ts'
import { getAccount } from '../account/account.repository.ts'
import { confirmPassword } from '../account/confirmPassword.ts'
import { createLoginThrottle } from '../account/loginThrottle.ts'
import {
  addDelivery,
  getDeliveryRow,
  listDeliveries,
  replayDelivery,
  toDelivery,
  toDeliveryDetail,
} from './delivery.repository.ts'
import { findCursor } from './planDeliveries.ts'
import { testPayload } from './payload.ts'
import { toAllowed } from './sendDelivery.ts'
import {
  addWebhook,
  afresh,
  changeWebhook,
  getRow,
  listWebhooks,
  lockRow,
  setWebhook,
  toWebhook,
} from './webhook.repository.ts'
import { createSecret, isSameKey } from './webhookSecret.ts'
import type { WebhookRow } from './webhookStatus.ts'

export const webhookHandlers = (deps: Dependencies): Handlers<typeof webhook> => ({
  list: (input, { viewer }) => listWebhooks(deps.db, viewer, input),
  get: async ({ id }, { viewer }) => toWebhook(await getRow(deps.db, viewer, id)),
  listDeliveries: async ({ webhookId, ...input }, { viewer }) =>
    listDeliveries(deps.db, viewer, await getRow(deps.db, viewer, webhookId), input),
  getDelivery: async ({ id }, { viewer }) => {
    const row = await getDeliveryRow(deps.db, viewer, id)
    return toDeliveryDetail(row, await getRow(deps.db, viewer, row.webhook_id))
  },
  ...decisions(deps),
  ...interruptions(deps),
  ...repeats(deps),
})

/** What the record says of a webhook: where it sends, without the path, which may be a secret of the receiver. */
const toSubject = ({ id, name, url, kinds }: Pick<WebhookRow, 'id' | 'name' | 'url' | 'kinds'>) => ({
  webhookId: id,
  name,
  address: new URL(url).origin,
  kinds,
})

/** Locks the webhook, changes it, and records that. */
const change = <T>(
  deps: Dependencies,
  context: Context,
  id: string,
  act: (row: WebhookRow, write: Write) => Promise<T>,
): Promise<T> =>
  deps.write(context, async (write) => {
    const result = await act(await lockRow(write.trx, context.viewer, id), write)
    write.afterwards(() => deps.bus.publish({ kind: 'webhooksDue' }))
    return result
  })

/** The provider's staff see and stop webhooks of others, and send nothing in their name. */
function assertOwn({ viewer }: Context, row: WebhookRow): void {
  if (row.organization_id !== viewer.organizationId)
    throw new Refusal(403, 'NOT_ALLOWED', `Only people of ${row.organization_name} may do this with its webhook.`)
}

/** Changes of scans are nothing for the team of a part. */
function assertOfChanges({ part }: WebhookRow): void {
  if (part === null) return
  throw new Refusal(
    409,
    'NOT_POSSIBLE',
    `This webhook tells of the releases of ${part}. Change it on the page of that part.`,
  )
}

export function assertPossible({ settings }: Pick<Dependencies, 'settings'>, { url }: Pick<WebhookDraft, 'url'>): void {
  const message = URL.canParse(url) ? findFault(new URL(url), toAllowed(settings)) : 'This is not an address.'
  if (message !== undefined) throw new Refusal(400, 'INVALID', message, [{ path: 'url', message }])
}

/** What sends data elsewhere, or shows a secret: the person confirms it. */
function decisions(deps: Dependencies): Pick<Handlers<typeof webhook>, 'add' | 'update' | 'renewSecret'> {
  const throttle = createLoginThrottle(deps.db, deps.keys)
  const confirm = async ({ viewer }: Context, password: string): Promise<void> =>
    confirmPassword(deps, throttle, await getAccount(deps.db, viewer.userId), 'password', password)
  return {
    add: async ({ password, ...draft }, context) => {
      assertPossible(deps, draft)
      await confirm(context, password)
      const { secret, kept } = createSecret(deps.keys)
      return deps.write(context, async ({ trx, audit }) => {
        const row = await addWebhook(trx, context.viewer, draft, kept)
        await audit({ event: 'WebhookAdded', subject: toSubject(row) })
        return { ...toWebhook(row), secret }
      })
    },

    update: async ({ id, password, ...draft }, context) => {
      assertOwn(context, await getRow(deps.db, context.viewer, id))
      assertPossible(deps, draft)
      await confirm(context, password)
      return change(deps, context, id, async (row, { trx, audit }) => {
        assertOwn(context, row)
        assertOfChanges(row)
        const changed = await changeWebhook(trx, context.viewer.userId, row, draft)
        await audit({ event: 'WebhookChanged', subject: { ...toSubject(changed), before: toSubject(row) } })
        return toWebhook(changed)
      })
    },

    renewSecret: async ({ id, password }, context) => {
      assertOwn(context, await getRow(deps.db, context.viewer, id))
      await confirm(context, password)
      const { secret, kept } = createSecret(deps.keys)
      return change(deps, context, id, async (row, { trx, audit }) => {
        assertOwn(context, row)
        // A secret that the server cannot make any more signs nothing.
        const previous = isSameKey(deps.keys, row)
          ? {
              previous_salt: row.salt,
              previous_until: sql<Date>`now() + make_interval(hours => ${limits.webhookSecretGraceHours})`,
            }
          : { previous_salt: null, previous_until: null }
        const renewed = await setWebhook(trx, id, { ...kept, ...previous })
        await audit({ event: 'WebhookSecretRenewed', subject: toSubject(renewed) })
        return { ...toWebhook(renewed), secret }
      })
    },
  }
}

const interruptions = (deps: Dependencies): Pick<Handlers<typeof webhook>, 'pause' | 'resume' | 'remove'> => ({
  pause: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      if (row.paused_date) throw unchanged(`${row.name} is paused already.`)
      const paused = await setWebhook(trx, id, { paused_date: sql<Date>`now()`, paused_reason: 'Person' })
      await audit({
        event: 'WebhookPaused',
        organizationId: row.organization_id,
        subject: { ...toSubject(row), reason: 'Person' },
      })
      return toWebhook(paused)
    }),

  resume: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      assertOwn(context, row)
      if (!row.paused_date) throw unchanged(`${row.name} is not paused.`)
      await trx
        .updateTable('webhook_deliveries')
        .set({ next_try_date: sql<Date>`now()`, first_try_date: null })
        .where('webhook_id', '=', id)
        .where('status', '=', 'Waiting')
        .execute()
      const resumed = await setWebhook(trx, id, { paused_date: null, paused_reason: null, ...afresh })
      await audit({ event: 'WebhookResumed', subject: toSubject(row) })
      return toWebhook(resumed)
    }),

  remove: async ({ id }, context) => {
    await change(deps, context, id, async (row, { trx, audit }) => {
      await trx.deleteFrom('webhooks').where('id', '=', id).execute()
      await audit({ event: 'WebhookDeleted', organizationId: row.organization_id, subject: toSubject(row) })
    })
    return null
  },
})

const unchanged = (sentence: string): Refusal => new Refusal(409, 'UNCHANGED', sentence)

const repeats = (deps: Dependencies): Pick<Handlers<typeof webhook>, 'sendTest' | 'replay' | 'replaySince'> => ({
  sendTest: ({ id }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      assertOwn(context, row)
      assertSending(row)
      const delivery = await addDelivery(trx, id, 'WebhookTest', testPayload())
      await audit({ event: 'WebhookTested', subject: toSubject(row) })
      return toDelivery(delivery, row)
    }),

  replay: async ({ id }, context) => {
    const { webhook_id: webhookId } = await getDeliveryRow(deps.db, context.viewer, id)
    return change(deps, context, webhookId, async (row, { trx, audit }) => {
      assertOwn(context, row)
      assertSending(row)
      // Anew, behind the lock: retention may have removed it.
      await getDeliveryRow(trx, context.viewer, id)
      const delivery = await replayDelivery(trx, id)
      await audit({ event: 'WebhookReplayed', subject: { ...toSubject(row), deliveryId: id } })
      return toDelivery(delivery, row)
    })
  },

  replaySince: ({ id, since }, context) =>
    change(deps, context, id, async (row, { trx, audit }) => {
      assertOwn(context, row)
      assertSending(row)
      const cursor = await findCursor(trx, row.organization_id, since)
      const rewound = await setWebhook(trx, id, { cursor: Math.min(cursor, Number(row.cursor)) })
      await audit({ event: 'WebhookReplayed', subject: { ...toSubject(row), since } })
      return toWebhook(rewound)
    }),
})

function assertSending({ name, status }: WebhookRow): void {
  if (status === 'Active') return
  const cure = status === 'Paused' ? 'Resume it first.' : 'Its owner or the organization may not have webhooks.'
  throw new Refusal(409, 'NOT_ACTIVE', `${name} sends nothing at the moment. ${cure}`)
}
