import { permits } from '@dmp/contract'
import type { release } from '@dmp/contract'
import type { Parsed } from '@dmp/contract/endpoint'
import type { Judgement, PartState } from '@dmp/contract/releaseDoor'
import { activate } from '@dmp/release/activate'
import { canarySteps, startCanary } from '@dmp/release/canary'
import { listReleaseRefs } from '@dmp/release/move'
import { readRegistry, readRelease, readSnapshot, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Context, Viewer } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Handlers } from '../../../core/handlers.ts'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import { tellSuperAdministrators } from '../../account/tellSuperAdministrators.ts'
import { uncheckedMail } from '../release.mails.ts'
import { assertWithinBudget } from '../errorBudget.ts'
import { createRefuse } from '../refuseStore.ts'
import type { ReleaseDependencies } from '../reports.ts'
import { assertMayMove, assertMayPart } from './assertMayPart.ts'
import { findObstacles } from './judge.ts'
import { isOnlyPublisher, toAuthorName, toPersonAddress, toPersonId } from './publications.ts'

/** A release of a part that wants two people goes to no more of them than this by one. */
const mostByOne = 10

type Move = Pick<Parsed<typeof release.activate>, 'part' | 'releaseId' | 'reason' | 'unchecked'>

/** Makes stored releases live, or gives them to some people first, once the platform's own judgement allows it. */
export const moveHandlers = (
  deps: ReleaseDependencies,
  store: ReleaseStore,
): Pick<Handlers<typeof release>, 'activate' | 'startCanary' | 'getPart'> => {
  const refuse = createRefuse(store)

  const decide = async (
    context: Context,
    event: AuditEvent,
    input: Move,
    move: (author: { by: string; reason?: string }) => Promise<unknown>,
  ): Promise<PartState> => {
    const { part, releaseId, unchecked } = input
    await assertMayMove(store, context.viewer, part, event).catch(refuse)
    await assertJudged(store, context.viewer, input)
    const by = await toAuthorName(deps.db, context.viewer)
    const reason = toReason(input)
    await deps.write(context, async ({ trx, audit, afterwards }) => {
      if (unchecked !== undefined) {
        await tellSuperAdministrators(deps, trx, (admin) =>
          uncheckedMail(admin, { part, releaseId, by, reason: unchecked }),
        )
        afterwards(deps.mail.deliver)
      }
      await audit({ event, subject: { part, releaseId, ...(reason === undefined ? {} : { reason }) } })
      await move({ by, ...(reason === undefined ? {} : { reason }) }).catch(refuse)
    })
    if (unchecked !== undefined)
      deps.log.warn({ part, release: releaseId, by }, 'a release goes to people without the trial in a browser')
    return getPartState(deps, store, part).catch(refuse)
  }

  return {
    activate: async (input, context) => {
      const { part: name, releaseId } = input
      assertMayPart(context.viewer, name)
      await assertTwoPeople(deps, context.viewer, name, releaseId)
      await assertWithinBudget(deps, store, { name, releaseId }).catch(refuse)
      return decide(context, 'ReleaseActivated', input, (author) =>
        activate(store, { parts: [{ name, releaseId }] }, author),
      )
    },

    startCanary: async (input, context) => {
      const { part: name, releaseId, percent, users } = input
      assertMayPart(context.viewer, name)
      const ownAddress = await toPersonAddress(deps.db, context.viewer)
      // Whoever chooses the people could choose all of them, or the one whose session they want.
      const isForOthers = users.some((email) => email !== ownAddress)
      if (percent > mostByOne || isForOthers) await assertTwoPeople(deps, context.viewer, name, releaseId)
      return decide(context, 'CanaryStarted', input, (author) =>
        startCanary(store, { name, releaseId }, { percent, users }, author),
      )
    },

    getPart: async ({ part }, { viewer }) => {
      assertMayPart(viewer, part)
      return getPartState(deps, store, part).catch(refuse)
    },
  }
}

const toReason = ({ reason, unchecked }: Move): string | undefined =>
  unchecked === undefined ? reason : [reason, `unchecked: ${unchecked}`].filter(Boolean).join('; ')

/** Throws what the platform saw, each with its cure; going without the trial is a right of its own. */
async function assertJudged(
  store: ReleaseStore,
  viewer: Viewer,
  { part: name, releaseId, unchecked }: Move,
): Promise<void> {
  if (unchecked !== undefined && !permits(viewer.policy, { module: 'Release', action: 'Uncheck' }))
    throw new Refusal(
      403,
      'NOT_ALLOWED',
      'Going without the trial needs the scope "unchecked". Have the platform try the release instead.',
    )
  const refuse = createRefuse(store)
  assertNoObstacles(await findObstacles(store, viewer, { name, releaseId }, unchecked !== undefined).catch(refuse))
}

/** Throws them all, each with its cure. */
export function assertNoObstacles(obstacles: readonly Judgement[]): void {
  if (obstacles.length > 0)
    throw new Refusal(
      409,
      'DOES_NOT_FIT',
      obstacles.map(({ says, cure }) => `${says}${cure === null ? '' : ` ${cure}`}`).join('\n'),
      obstacles.map(({ check, says }) => ({ path: check, message: says })),
    )
}

/** Throws where the part wants another person than the only one who brought the release. */
export async function assertTwoPeople(
  { db, settings }: Pick<ReleaseDependencies, 'db' | 'settings'>,
  viewer: Viewer,
  part: string,
  releaseId: string,
): Promise<void> {
  if (!needsTwoPeople(settings, part)) return
  if (await isOnlyPublisher(db, part, releaseId, toPersonId(viewer)))
    throw new Refusal(
      403,
      'NEEDS_ANOTHER_PERSON',
      `Whoever published a release of ${part} does not make it live alone. Ask another person, or a token of another person.`,
    )
}

const needsTwoPeople = ({ releaseFourEyes }: ReleaseDependencies['settings'], part: string): boolean =>
  releaseFourEyes.split(',').includes(part)

/** The share that a promotion leads to, as `promoteCanary` chooses it. */
const toNextShare = (percent: number, wanted: number | undefined): number =>
  wanted ?? canarySteps.find((step) => step > percent) ?? 100

/**
 * The share that was judged, and from which one: two promotions at once would each take a step that neither may. Throws
 * where the viewer may not let so many have the canary: to more than half of the people a machine needs the scope
 * `activate`, and above a tenth a part may want two people.
 */
export async function assertMayPromote(
  deps: Pick<ReleaseDependencies, 'db' | 'settings'>,
  store: ReleaseStore,
  viewer: Viewer,
  { part, releaseId, percent }: Parsed<typeof release.promoteCanary>,
): Promise<{ readonly percent: number; readonly fromPercent: number | undefined }> {
  const canary = (await readRegistry(store))?.canaries?.find(({ name }) => name === part)
  const share = toNextShare(canary?.percent ?? 0, percent)
  if (share > 50 && !permits(viewer.policy, { module: 'Release', action: 'Activate' }))
    throw new Refusal(403, 'NOT_ALLOWED', 'To more than half of the people it goes with the scope "activate".')
  if (share > mostByOne) await assertTwoPeople(deps, viewer, part, releaseId)
  const refuse = createRefuse(store)
  await assertWithinBudget(deps, store, { name: part, releaseId }).catch(refuse)
  const obstacles =
    viewer.ownerId === undefined
      ? []
      : await findObstacles(store, viewer, { name: part, releaseId }, true).catch(refuse)
  const [first] = obstacles
  if (first) throw new Refusal(409, 'DOES_NOT_FIT', `${first.says} ${first.cure ?? ''}`.trim())
  return { percent: share, fromPercent: canary?.percent }
}

async function getPartState(
  { settings }: Pick<ReleaseDependencies, 'settings'>,
  store: ReleaseStore,
  part: string,
): Promise<PartState> {
  const registry = await readRegistry(store)
  const snapshot = registry && (await readSnapshot(store, registry.live))
  const live = (snapshot ? listReleaseRefs(snapshot) : []).find(({ name }) => name === part)?.releaseId
  const canary = registry?.canaries?.find(({ name }) => name === part)
  const isAsking = async (releaseId: string): Promise<boolean> =>
    (await readRelease(store, part, releaseId)).declaration?.trust === 'guest'
  const guest =
    live !== undefined && (await isAsking(live)) ? 'release' : snapshot?.guests?.includes(part) ? 'registry' : undefined
  return {
    part,
    live: live ?? null,
    canary: canary
      ? {
          releaseId: canary.releaseId,
          percent: canary.percent,
          ...(canary.users.length === 0 ? {} : { users: canary.users.length }),
          ...((await isAsking(canary.releaseId)) ? { isGuest: true } : {}),
        }
      : null,
    ...(guest === undefined ? {} : { guest }),
    needsTwoPeople: needsTwoPeople(settings, part),
  }
}
