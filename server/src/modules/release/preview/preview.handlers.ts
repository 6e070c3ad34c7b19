import type { release } from '@dmp/contract'
import type { Preview } from '@dmp/contract/releasePreview'
import { createPreviewReport } from '@dmp/release/previewReport'
import {
  addPreview,
  endPreviews,
  listAllPreviews,
  listPreviews,
  toPreview,
  type StoredPreview,
} from '@dmp/release/previews'
import { readRelease, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { sharedNow } from '../../../core/clock.ts'
import type { Viewer } from '../../../core/context.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import { selectApiTokens } from '../../../identity/apiTokenStatus.ts'
import { assertAccounts } from '../../apiToken/apiTokenRules.ts'
import { addToGrant, toPreviewSource } from '../../override/grant.ts'
import { assertMayPart } from '../door/assertMayPart.ts'
import { judgeRelease, listObstacles } from '../door/judge.ts'
import { assertNoObstacles } from '../door/moves.ts'
import { toAuthorName } from '../door/publications.ts'
import { createRefuse } from '../refuseStore.ts'
import type { ReleaseDependencies } from '../reports.ts'
import { findPreviewFor } from './previewAccess.ts'

type PreviewHandlers = Handlers<typeof release>

/** Previews are made and ended: a stored release beside what is live, for some people and days. */
export const previewHandlers = (
  deps: ReleaseDependencies,
  store: ReleaseStore,
): Pick<PreviewHandlers, 'preview' | 'endPreviews' | 'listPreviews'> => {
  const { db, write } = deps
  const refuse = createRefuse(store)
  return {
    preview: async ({ part, releaseId, days, users: named, change }, context) => {
      const { viewer } = context
      assertMayPart(viewer, part)
      const users = await toUsers(deps, viewer, named)
      const ref = { name: part, releaseId }
      const judged = await judgeRelease(store, viewer, ref).catch(refuse)
      // What it weighs, and that nobody tried it yet, is for the people who look at it.
      assertNoObstacles(await listObstacles(store, ref, judged, true).catch(refuse))
      const by = await toAuthorName(db, viewer)
      const latest = await findEnd(deps, viewer)
      const stored = await readRelease(store, part, releaseId).catch(refuse)
      const made = await write(context, async ({ audit }) => {
        await audit({ event: 'ReleasePreviewed', subject: { part, releaseId, days, people: users.length } })
        return addPreview(
          store,
          stored,
          {
            by,
            users,
            days,
            latest,
            maker: { is: viewer.ownerId === undefined ? 'person' : 'token', id: viewer.userId },
            ...(change === undefined ? {} : { change }),
          },
          sharedNow(),
        ).catch(refuse)
      })
      return createPreviewReport(store, made, judged.findings).catch(refuse)
    },

    endPreviews: async ({ part, ...which }, context) => {
      assertMayPart(context.viewer, part)
      return write(context, async ({ audit }) => {
        await audit({ event: 'ReleasePreviewsEnded', subject: { part, ...which } })
        return (await endPreviews(store, part, which).catch(refuse)).map(toShown(context.viewer))
      })
    },

    listPreviews: async ({ part }, { viewer }) => {
      if (part !== undefined) assertMayPart(viewer, part)
      const found = await (
        part === undefined ? listAllPreviews(store, sharedNow()) : listPreviews(store, part, sharedNow())
      ).catch(refuse)
      return found
        .filter((one) => viewer.ownerId === undefined || viewer.parts?.includes(one.part))
        .map(toShown(viewer))
    },
  }
}

/** Previews are looked at: each is an override of one browser, with a right of its own. */
export const openPreviewHandlers = (
  { db, write, keys }: ReleaseDependencies,
  store: ReleaseStore,
): Pick<PreviewHandlers, 'getPreview' | 'openPreview'> => {
  const refuse = createRefuse(store)

  /** Throws the same for one that never was, that has ended, and that is for others. */
  const findOwn = async (viewer: Viewer, ref: { part: string; id: string }) => {
    const found = await findPreviewFor({ db, store }, viewer, ref).catch(refuse)
    if (found === undefined) throw notFound()
    return found
  }

  return {
    getPreview: async (ref, { viewer }) => {
      const { preview, release } = await findOwn(viewer, ref)
      const { findings } = await judgeRelease(store, viewer, release).catch(refuse)
      const report = await createPreviewReport(store, preview, findings).catch(refuse)
      return { ...report, ...toShown(viewer)(preview) }
    },

    openPreview: async ({ part, id, releaseId }, context) => {
      const { viewer } = context
      const { preview, release } = await findOwn(viewer, { part, id })
      if (preview.releaseId !== releaseId)
        throw new Refusal(
          409,
          'CHANGED_MEANWHILE',
          'This preview shows a newer release by now. Open its address again.',
        )
      await write(context, ({ audit }) =>
        audit({ event: 'ReleasePreviewOpened', subject: { part, releaseId, preview: id } }),
      )
      addToGrant({ keys }, context, part, toPreviewSource(id, releaseId))
      return {
        part,
        releaseId,
        ...(release.declaration ? { version: release.declaration.version } : {}),
        preview: { id, endsDate: preview.ends },
      }
    },
  }
}

/** Who else may open it is for super administrators, and for the machine that was told so. */
const toShown =
  ({ role, userId }: Viewer) =>
  (preview: StoredPreview): Preview => ({
    ...toPreview(preview),
    users: role === 'super_admin' || preview.maker?.id === userId ? preview.users : [],
  })

/** When the right of a machine ends by itself, in milliseconds since the epoch. */
async function findEnd({ db }: Pick<ReleaseDependencies, 'db'>, { ownerId, userId }: Viewer): Promise<number> {
  if (ownerId === undefined) return Infinity
  const { expires_date: expires } = await selectApiTokens(db)
    .where('api_tokens.id', '=', userId)
    .executeTakeFirstOrThrow()
  return expires.getTime()
}

/** Whom a preview is for: a machine chooses among those whom its API token names. */
async function toUsers(
  { db }: Pick<ReleaseDependencies, 'db'>,
  { ownerId, previewers = [] }: Viewer,
  named: readonly string[] | undefined,
): Promise<string[]> {
  if (ownerId === undefined) {
    await assertAccounts(db, named ?? [], 'users')
    return [...(named ?? [])]
  }
  const stranger = named?.find((email) => !previewers.includes(email))
  if (stranger !== undefined)
    throw new Refusal(
      403,
      'NOT_ALLOWED',
      `This API token does not name ${stranger}. Whoever made it decides who may open its previews.`,
    )
  return [...(named ?? previewers)]
}
