import type { release } from '@dmp/contract'
import type { Notices } from '@dmp/contract/releaseNotices'
import { registryVersion, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Transaction } from 'kysely'
import type { Context } from '../../../core/context.ts'
import { notFound } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { Source } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getAccount } from '../../account/account.repository.ts'
import { confirmPassword } from '../../account/confirmPassword.ts'
import { createLoginThrottle } from '../../account/loginThrottle.ts'
import { assertPossible } from '../../webhook/webhook.handlers.ts'
import { addWebhook } from '../../webhook/webhook.repository.ts'
import { createSecret } from '../../webhook/webhookSecret.ts'
import { selectWebhooks } from '../../webhook/webhookStatus.ts'
import { assertMayPart } from '../door/assertMayPart.ts'
import { createRefuse } from '../refuseStore.ts'
import { takeNewErrors } from './news.ts'

type NoticeHandlers = Pick<Handlers<typeof release>, 'getNotices' | 'setNotices' | 'switchNotices'>

/** Whom the news of a part go to: the platform says where, the team when it has had enough. */
export const noticeHandlers = (deps: Dependencies, store: ReleaseStore): NoticeHandlers => {
  const refuse = createRefuse(store)
  return {
    getNotices: async ({ part }, { viewer }) => {
      assertMayPart(viewer, part)
      return readNotices(deps.db, part)
    },

    setNotices: async ({ part, emails, url, password }, context) => {
      if (url !== null) assertPossible(deps, { url })
      const { db, keys, write } = deps
      const throttle = createLoginThrottle(db, keys)
      await confirmPassword(deps, throttle, await getAccount(db, context.viewer.userId), 'password', password)
      const version = await registryVersion(store).catch(refuse)
      return write(context, async ({ trx, audit }) => {
        const addresses = [...new Set(emails)]
        await trx
          .insertInto('release_notices')
          .values({ part, emails: addresses, seen_version: version })
          .onConflict((row) => row.column('part').doUpdateSet({ emails: addresses, is_on: true }))
          .execute()
        // What is known by now is no news.
        await takeNewErrors(trx, part)
        const secret = await setWebhookOf(trx, deps, context, part, url)
        const subject = { part, emails: addresses, ...(url === null ? {} : { address: new URL(url).origin }) }
        await audit({ event: 'ReleaseNoticesSet', subject })
        return { ...(await readNotices(trx, part)), secret }
      })
    },

    switchNotices: async ({ part, isOn }, context) => {
      assertMayPart(context.viewer, part)
      const version = await registryVersion(store).catch(refuse)
      return deps.write(context, async ({ trx, audit }) => {
        const { numUpdatedRows } = await trx
          .updateTable('release_notices')
          // What happened meanwhile is on the page of the part.
          .set({ is_on: isOn, ...(isOn ? { seen_version: version } : {}) })
          .where('part', '=', part)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw notFound()
        if (isOn) await takeNewErrors(trx, part)
        await audit({ event: 'ReleaseNoticesSwitched', subject: { part, isOn } })
        return readNotices(trx, part)
      })
    },
  }
}

/** Another address is another receiver: it gets a secret of its own. Returns that. */
async function setWebhookOf(
  trx: Transaction<Tables>,
  { keys }: Pick<Dependencies, 'keys'>,
  { viewer }: Context,
  part: string,
  url: string | null,
): Promise<string | null> {
  const known = await trx.selectFrom('webhooks').select(['id', 'url']).where('part', '=', part).executeTakeFirst()
  if (known?.url === url) return null
  if (known) await trx.deleteFrom('webhooks').where('id', '=', known.id).execute()
  if (url === null) return null
  const { secret, kept } = createSecret(keys)
  await addWebhook(trx, viewer, { name: `Releases of ${part}`, url, kinds: [], part }, kept)
  return secret
}

async function readNotices(db: Source, part: string): Promise<Notices> {
  const row = await db.selectFrom('release_notices').selectAll().where('part', '=', part).executeTakeFirst()
  const webhook = await selectWebhooks(db).where('webhooks.part', '=', part).executeTakeFirst()
  return {
    part,
    isOn: row?.is_on ?? false,
    emails: row?.emails ?? [],
    webhook: webhook ? { id: webhook.id, url: webhook.url, status: webhook.status } : null,
    lastDate: row?.told_date?.toISOString() ?? null,
  }
}
