import type { scan } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { News } from '../../../db/bus.ts'
import type { WriteContext } from '../../../db/write.ts'
import { takeTurnOf } from '../../../core/asker.ts'
import { toCaller } from '../../../core/caller.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound } from '../../../core/errors.ts'
import { FairTurns, type Turn } from '../../../core/fairTurns.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getScan, refuseDeactivated } from '../scan.repository.ts'
import { isLinkToken } from '../linkTokens.ts'
import {
  countFiles,
  createDownload,
  findDownload,
  markContinued,
  mayContinue,
  listSeriesOf,
  markEnded,
  markUsed,
  type DownloadLink,
} from './downloadLink.repository.ts'
import { holdMemory } from './holdMemory.ts'
import { DownloadStreams } from './downloadStreams.ts'
import { asksForRest, parseResumeOffset, sendZip } from './zipResponse.ts'
import { turnOfShare } from '../sharing/shareTurn.ts'
import { bytesPerFile, createSeriesZip, type SeriesZip } from './seriesZip.ts'
import { forHoldersOfTheAddress } from '../../../core/access.ts'

/** The one-time address that a download token opens. */
export const toDownloadUrl = (deps: Pick<Dependencies, 'publicUrl'>, token: string): string =>
  `${deps.publicUrl()}/api/Scan/downloads/${token}`

/** 7.38, 5.14: a one-time address of a zip. */
export const downloadHandler =
  (deps: Dependencies): Handler<typeof scan.download> =>
  async (input, { viewer }) => {
    const { store, series } = await getScan(deps.db, viewer, input.organizationId, input.seriesUID)
    refuseDeactivated(store)
    const token = await createDownload(deps.db, {
      organization_id: store.organizationId,
      series_uid: series.series_uid,
      user_id: viewer.userId,
      share_id: null,
      session_id: viewer.sessionId,
    })
    return { downloadUrl: toDownloadUrl(deps, token) }
  }

/** Zips that are prepared at a time: the rows of a scan, its DICOMDIR and an entry for each file. */
const preparing = { atOnce: 4, perCustomer: 2, perPerson: 1, waitingPerPerson: 32 } as const

/** A download address opens once; a broken download may come back to continue, until all bytes were sent. */
export function registerDownloads(app: FastifyInstance, deps: Dependencies): void {
  const url = '/api/Scan/downloads/:token'
  const config = { limit: 'download', access: forHoldersOfTheAddress } as const
  const streams = new DownloadStreams()
  const turns = new FairTurns(preparing)
  // Fastify's own HEAD would run the GET handler and use the address up.
  app.get<{ Params: { token: string } }>(url, { exposeHeadRoute: false, config }, async (request, reply) => {
    const turn = nameHolder(deps, request, await getOpenDownload(deps, request))
    const { link, zip, start } = await turns.run(turn, () => prepare(deps, request, reply, turn))
    streams.begin(link.token_hash, reply)
    const goesOn = async (): Promise<boolean> =>
      (await mayContinue(deps.db, request.params.token)) && (await zip.isThere())
    request.standOn?.({ isAbout: (news) => isAboutDownload(news, link), goesOn })
    // The last byte was handed over; a line that breaks before that leaves the address open for the rest.
    reply.raw.once('finish', () => deps.background(markEnded(deps.db, link)))
    return sendZip(reply, zip, start)
  })
  app.head<{ Params: { token: string } }>(url, { config }, async (request, reply) => {
    const { token } = request.params
    const link = isLinkToken(token) ? await findDownload(deps.db, token) : undefined
    if (!link || link.used_date !== null) throw notFound()
    return reply.headers({ 'content-type': 'application/zip', 'cache-control': 'private, no-store' }).send(null)
  })
}

/** Links end with whoever made them, with the organization, and with what they open. */
function isAboutDownload(news: News, link: DownloadLink): boolean {
  if (news.kind === 'sessionsEnded') return link.session_id !== null && news.sessionIds.includes(link.session_id)
  if (news.kind === 'sharesChanged') return link.share_id !== null && news.shareIds.includes(link.share_id)
  if (news.kind === 'scansChanged') return news.organizationId === link.organization_id
  if (news.kind !== 'viewersChanged') return false
  const [people, organizations] = [news.userIds ?? [], news.organizationIds ?? []]
  const isOf = (ids: readonly string[], own: string | null): boolean => own !== null && ids.includes(own)
  return (
    isOf(people, link.user_id) ||
    isOf(people, link.shared_by) ||
    isOf(organizations, link.organization_id) ||
    isOf(organizations, link.user_organization_id)
  )
}

type DownloadRequest = FastifyRequest<{ Params: { token: string } }>

/** An address opens everything once, and then a rest for whoever says which. One look, whatever it would open (P18). */
async function getOpenDownload({ db }: Dependencies, request: DownloadRequest): Promise<DownloadLink> {
  const { token } = request.params
  const link = isLinkToken(token) ? await findDownload(db, token) : undefined
  if (!link || (link.used_date !== null && !asksForRest(request))) throw notFound()
  return link
}

interface PreparedDownload {
  readonly link: DownloadLink
  readonly zip: SeriesZip
  readonly start: number
}

/** In the turn of the holder: others may have used the address up, or the holder have left, while it waited. */
async function prepare(
  deps: Dependencies,
  request: DownloadRequest,
  reply: FastifyReply,
  turn: Turn,
): Promise<PreparedDownload> {
  if (reply.raw.destroyed) throw notFound()
  const link = await getOpenDownload(deps, request)
  const series = await listSeriesOf(deps.db, link)
  const files = await countFiles(deps.db, link.organization_id, series)
  await holdMemory(deps, turn, reply, readingLimits.streamBytes + files * bytesPerFile)
  const zip = await createSeriesZip(deps, link.organization_id, series, turn)
  if (!zip) throw notFound()
  const start = parseResumeOffset(request, zip)
  const isOpen = start === 0 ? link.used_date === null : link.used_date !== null && link.ended_date === null
  if (!isOpen) throw notFound()
  await recordUse(deps, link, toCaller(request), start)
  return { link, zip, start }
}

/**
 * The address says whose download it is: its responses count as those of the person, or of the share link, and take
 * their turns (P18, P25). Throws 429.
 */
function nameHolder({ openResponses }: Dependencies, request: FastifyRequest, link: DownloadLink): Turn {
  const turn =
    link.user_id === null
      ? turnOfShare(link.organization_id, String(link.share_id))
      : { customer: link.user_organization_id ?? link.organization_id, person: link.user_id }
  takeTurnOf(request, turn)
  openResponses.assign(request.raw, turn.person)
  return turn
}

/** Each use, also of the rest of a download that broke. */
async function recordUse(
  deps: Dependencies,
  link: DownloadLink,
  request: WriteContext['request'],
  start: number,
): Promise<void> {
  const viewer =
    link.user_id !== null && link.user_organization_id !== null
      ? { userId: link.user_id, organizationId: link.user_organization_id }
      : null
  await deps.write({ viewer, request }, async ({ trx, audit }) => {
    await (start === 0 ? markUsed(trx, link) : markContinued(trx, link))
    await audit({
      event: 'ScanDownloaded',
      organizationId: link.organization_id,
      subject: {
        seriesUID: link.series_uid,
        ...(link.share_id !== null && { shareId: link.share_id }),
        ...(link.proven_email !== null && { email: link.proven_email }),
        ...(start > 0 && { resumedAtByte: start }),
      },
    })
  })
}
