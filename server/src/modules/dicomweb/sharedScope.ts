import type { ActionOf } from '@dmp/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { takeTurnOf } from '../../core/asker.ts'
import { createCookieReader, findVisit, toCaller } from '../../core/caller.ts'
import { notFound } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isShareAlive } from '../scan/sharing/shareExpiry.ts'
import { turnOfShare } from '../scan/sharing/shareTurn.ts'
import { isAboutShare } from '../scan/sharing/shareWatch.ts'
import { isVisitOf } from '../scan/sharing/shareVisits.ts'
import { originOf } from './retrieveUrl.ts'
import { dicomWebRoot, getScope, type ReadScope } from './scope.ts'

/** Below it lies what one link shares, and nothing else. */
export const sharedRoot = `${dicomWebRoot}/shared/:share`

/** Who reads, and how far: a person who signed in or, below the root of a share link, its visitor (P25). */
export async function getReadScope(
  deps: Dependencies,
  request: FastifyRequest,
  action: ActionOf<'Scan'>,
): Promise<ReadScope> {
  const { share } = request.params as { share?: string }
  return share === undefined ? getScope(deps, request, action) : getSharedScope(deps, request, share, action)
}

/**
 * The reach of a browser that opened a share link. Without a visit, after the link has ended, and for a download that
 * the sender did not allow, nothing is there: every answer is that of an unknown address.
 */
async function getSharedScope(
  deps: Dependencies,
  request: FastifyRequest,
  shareId: string,
  action: ActionOf<'Scan'>,
): Promise<ReadScope> {
  const share = await findVisitedShare(deps, request, shareId)
  if (!share || (action === 'Download' && !share.allows_download)) throw notFound()
  const visitor = `visit ${share.visit_id}`
  // Opening a link again makes nobody a second person.
  const turn = turnOfShare(share.organization_id, share.id)
  takeTurnOf(request, turn)
  // What visitors lose the server costs them, their link and their address, and nobody of the organization.
  const owner = { userId: visitor, organizationId: turn.person }
  deps.penalties.remember(String(findVisit(request)), owner)
  await request.admit?.(owner)
  await deps.limits.spend('DICOMweb', undefined, visitor)
  deps.openResponses.assign(request.raw, visitor)
  request.standOn?.({
    isAbout: (news) => isAboutShare(news, share),
    goesOn: async () => {
      const now = await findVisitedShare(deps, request, shareId)
      return now !== undefined && (action !== 'Download' || now.allows_download)
    },
  })
  return {
    store: { organizationId: share.organization_id, dataStoreID: null, isActivated: true },
    context: { request: toCaller(request) },
    turn,
    reader: visitor,
    studies: new Set(share.studies),
    series: new Set(share.series),
    origin: originOf(deps.settings, request),
    root: sharedRoot.replace(':share', share.id),
    mayCache: false,
    // The address is known where a code went to it.
    about: { shareId: share.id, ...(share.email !== null && { email: share.email }) },
  }
}

/** The link that this browser opened, with what it shares, while link and visit go on. */
export async function findVisitedShare({ db, settings }: Dependencies, request: FastifyRequest, shareId: string) {
  const isVisit = isVisitOf(shareId, createCookieReader(request, { settings }))
  if (!isVisit) return undefined
  return db
    .selectFrom('scan_share_visits')
    .innerJoin('scan_shares', 'scan_shares.id', 'scan_share_visits.share_id')
    .innerJoin('shared_series', 'shared_series.share_id', 'scan_shares.id')
    .innerJoin('series', (on) =>
      on
        .onRef('series.organization_id', '=', 'shared_series.organization_id')
        .onRef('series.series_uid', '=', 'shared_series.series_uid'),
    )
    .select(['scan_shares.id', 'scan_shares.organization_id', 'scan_shares.created_by', 'scan_shares.allows_download'])
    .select([
      'scan_share_visits.id as visit_id',
      'scan_share_visits.email',
      sql<string[]>`array_agg(distinct series.study_uid)`.as('studies'),
      sql<string[]>`array_agg(series.series_uid)`.as('series'),
    ])
    .where(isVisit)
    .where(isShareAlive)
    .groupBy(['scan_shares.id', 'scan_share_visits.id'])
    .executeTakeFirst()
}
