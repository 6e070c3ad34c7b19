import { may, permits, type Parsed, type scan } from '@dmp/contract'
import type { Transaction } from 'kysely'
import type { Context } from '../../../core/context.ts'
import type { Handler } from '../../../core/handlers.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { ScanChange } from '../../../db/changes.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { getScan, refuseDeactivated, type StoredScan } from '../scan.repository.ts'
import { createLinkToken, createRuledLinkToken, hashLinkToken } from '../linkTokens.ts'
import { listSharedPatients } from './sharedStudies.ts'
import { toExpireDate } from './shareExpiry.ts'
import { shareMail } from './sharing.mails.ts'
import { addShare } from './sharing.repository.ts'

type ShareInput = Parsed<typeof scan.share>

/** 7.38, 5.13: makes a link, and mails it where a recipient is named. */
export const createShareHandler =
  (deps: Dependencies): Handler<typeof scan.share> =>
  async (asked, context) => {
    // A link never permits more than its sender may do (P01).
    const allowsDownload = asked.allowsDownload && permits(context.viewer.policy, may('Scan', 'Download'))
    const input = { ...asked, allowsDownload }
    const stored = await getScan(deps.db, context.viewer, input.organizationId, input.seriesUID)
    refuseDeactivated(stored.store)
    assertSecret(input)
    const changes = await listSeries(deps, stored, input)
    const series = changes.map(({ seriesUID }) => seriesUID)
    await assertNameless(deps, stored, series, input.message)
    const token = needsRules(input) ? createRuledLinkToken() : createLinkToken()
    const link = `${deps.publicUrl()}/share/${token}`
    const expireDate = toExpireDate(input.expireInDay)
    const passwordHash = input.password ? await deps.hasher.hash(input.password) : null
    await deps.write(context, async ({ trx, audit, tell, afterwards }) => {
      const shareId = await addShare(trx, series.slice(1), {
        token_hash: hashLinkToken(token),
        organization_id: stored.store.organizationId,
        series_uid: stored.series.series_uid,
        created_by: context.viewer.userId,
        created_by_user: context.viewer.fullName,
        expire_date: expireDate,
        password_hash: passwordHash,
        max_uses: input.maxUses,
        allows_download: input.allowsDownload,
        recipient: input.recipient,
        has_code: input.hasCode,
      })
      if (input.recipient !== null) {
        await mailShare(deps, trx, { ...input, to: input.recipient, stored, link, expireDate }, context)
        afterwards(deps.mail.deliver)
      }
      await audit({
        event: 'ScanShared',
        organizationId: stored.store.organizationId,
        subject: {
          shareId,
          seriesUID: stored.series.series_uid,
          ...(series.length > 1 && { alsoSeries: series.slice(1) }),
          until: expireDate.toISOString(),
          hasPassword: passwordHash !== null,
          maxUses: input.maxUses,
          allowsDownload: input.allowsDownload,
          ...(input.recipient !== null && { recipient: input.recipient, hasCode: input.hasCode }),
        },
      })
      await tell(stored.store.organizationId, changes)
    })
    return { downloadUrl: link }
  }

interface MailedShare extends Pick<ShareInput, 'hasCode' | 'password' | 'message'> {
  readonly to: string
  readonly stored: StoredScan
  readonly link: string
  readonly expireDate: Date
}

async function mailShare(
  { mail }: Dependencies,
  trx: Transaction<Tables>,
  { hasCode, password, stored, ...share }: MailedShare,
  { viewer, request }: Context,
): Promise<void> {
  const { organizationId } = stored.store
  const { name: organization } = await trx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const secret = hasCode ? 'code' : password ? 'password' : 'none'
  const sender = { person: viewer.fullName, organization, organizationId, language: request.language }
  await mail.queue(trx, shareMail({ ...share, ...sender, secret }))
}

/** Servers of the version before would open such a link without asking for its code, or download what may not be. */
const needsRules = ({ allowsDownload, hasCode, alsoSeriesUIDs }: ShareInput): boolean =>
  !allowsDownload || hasCode || alsoSeriesUIDs.length > 0

const refuse = (path: string, message: string): Refusal => new Refusal(400, 'INVALID', message, [{ path, message }])

function assertSecret({ hasCode, recipient, password, message }: ShareInput): void {
  if (hasCode && recipient === null)
    throw refuse('recipient', 'The code needs an address to go to. Enter the email of the recipient.')
  if (hasCode && password) throw refuse('password', 'A link asks for a password or for a code, not for both.')
  if (message !== null && recipient === null)
    throw refuse('recipient', 'The message needs an address to go to. Enter the email of the recipient.')
}

/**
 * The scan of the call first, as programs are told of them; one that is not there, or in another organization, refuses
 * all of them.
 */
async function listSeries(
  deps: Dependencies,
  { store, series }: StoredScan,
  { alsoSeriesUIDs }: ShareInput,
): Promise<ScanChange[]> {
  const uids = [...new Set([series.series_uid, ...alsoSeriesUIDs])]
  const rows = await deps.db
    .selectFrom('series')
    .select(['series_uid', 'study_uid', 'instances'])
    .where('organization_id', '=', store.organizationId)
    .where('series_uid', 'in', uids)
    .execute()
  if (rows.length !== uids.length) throw notFound()
  const changes = rows.map((row): ScanChange => ({
    kind: 'SeriesShared',
    studyUID: row.study_uid,
    seriesUID: row.series_uid,
    instances: row.instances,
  }))
  return changes.sort((a, b) => uids.indexOf(a.seriesUID) - uids.indexOf(b.seriesUID))
}

const shortestName = 3

/** A mail travels in the open: words of the patient's name, or the id, have no place in it. */
async function assertNameless(
  { db }: Dependencies,
  { store }: StoredScan,
  series: readonly string[],
  message: string | null,
): Promise<void> {
  if (message === null) return
  const words = new Set(toWords(message))
  for (const patient of await listSharedPatients(db, store.organizationId, series))
    if (toWords(patient).some((word) => word.length >= shortestName && words.has(word)))
      throw refuse(
        'message',
        'The message names the patient. Mails can be read by others: leave the name and the id out.',
      )
}

const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
