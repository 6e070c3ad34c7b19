import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { FairTurns, type StepAside, type Turn } from '../../../core/fairTurns.ts'
import type { ByteSource } from '../../../dicom/byteSource.ts'
import { createReport, type DeidentificationReport } from '../../../dicom/deidentify.ts'
import { decodedFrameBytes } from '../../../dicom/explicitForm.ts'
import type { Look } from '../../../dicom/lookedAt.ts'
import { readMaskingJob, type DecodedPixels } from '../../../dicom/maskedFrames.ts'
import { NoPicture, TooManyPictures } from '../../../dicom/noPicture.ts'
import type { CopiedObject } from '../../../dicom/readerTasks.ts'
import { readRewritten } from '../../../dicom/rewrite.ts'
import { createUidMapper } from '../../../dicom/uidMap.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { areStored } from '../deletion/areStored.ts'
import { isPrepared, prepare, type IncomingObject, type IntakeOutcome, type PreparedObject } from '../intake/intake.ts'
import { commit } from '../intake/commit.ts'
import { noteCopy } from './copyRemoval.ts'
import { mayTakeRoom } from './receiverRoom.ts'
import { getProjectSecret } from './transferProjects.ts'
import type { TransferRow, TransferScanRow } from './transfer.repository.ts'

/** What becomes of the pictures that were held back, by instance UID. */
export type Looks = ReadonlyMap<string, Look | 'leave out'>

/** Why a scan was not transferred, in a sentence for its user. */
export class CannotCopy extends Error {}

export interface CopyResult {
  readonly newSeriesUID: string
  readonly instances: number
  readonly report: DeidentificationReport
}

interface SourceRow {
  sop_instance_uid: string
  instance_number: number
  object_key: string
  transfer_syntax_uid: string
  images: number
}

const groupSize = 16
const fullQueueMs = 1000
/** Images of all transfers, one of each organization after the other. */
export const copying = new FairTurns({ atOnce: 2, perCustomer: 1, perPerson: 1, waitingPerPerson: Infinity })

/**
 * Copies one series into the destination under new UIDs, de-identified on request, but for the pictures that somebody
 * left out. Throws at an image that cannot be de-identified; what has arrived by then is to be taken back
 * (`copyRemoval.ts`). `onProgress` gets the number of images so far. Returns `undefined` when the signal ended it
 * between two images.
 */
export async function copySeries(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  looks: Looks,
  signal: AbortSignal,
  onProgress: (images: number) => Promise<void>,
): Promise<CopyResult | undefined> {
  const secret = transfer.project_id === null ? transfer.secret : await getProjectSecret(deps, transfer.project_id)
  if (!secret) throw new CannotCopy('The transfer was interrupted and must be started again.')
  const incoming = await getDestinationIntake(deps, transfer)
  if (!(await mayTakeRoom(deps, transfer, scan.series_uid)))
    throw new CannotCopy(
      'The receiver has no more room for scans of other organizations. Ask it to delete some that you sent before.',
    )
  const newSeriesUID = createUidMapper(secret)(scan.series_uid)
  const report = createReport()
  const turn: Turn = { customer: transfer.organization_id, person: `transfer ${transfer.id}` }
  const stored = await listInstances(deps, transfer.organization_id, scan.series_uid)
  const rows = stored.filter((row) => looks.get(row.sop_instance_uid) !== 'leave out')
  if (stored.length > 0 && rows.length === 0)
    throw new CannotCopy('Every picture was left out. Nothing was transferred.')
  if (rows.length === 0) throw isGone()
  await noteCopy(deps, transfer, scan, newSeriesUID)
  let [copied, images] = [0, 0]
  const copyNext = async (row: SourceRow, stepAside: StepAside): Promise<PreparedObject | undefined> => {
    if (signal.aborted) return undefined
    const look = looks.get(row.sop_instance_uid)
    const how = { secret, report, look: look === 'leave out' ? undefined : look, stepAside }
    return copyInstance(deps, transfer, incoming, row, turn, how)
  }
  for (let at = 0; at < rows.length; at += groupSize) {
    const group: PreparedObject[] = []
    try {
      for (const row of rows.slice(at, at + groupSize)) {
        const copy = await copying.run(turn, (stepAside) => copyNext(row, stepAside))
        if (!copy) break
        group.push(copy)
        copied += 1
        images += Math.max(1, row.images)
      }
      if (!(await areStored(deps.db, transfer.organization_id, rows.slice(at, at + groupSize)))) throw isGone()
    } catch (cause) {
      // Those before the one that cannot be copied.
      await deps.objects.discard(group.map(({ staged }) => staged))
      throw cause
    }
    if (group.length > 0) assertStored(await copying.run(turn, () => commit(deps, incoming, group)))
    await onProgress(Math.min(images, scan.images))
    if (signal.aborted && copied < rows.length) return undefined
  }
  return { newSeriesUID, instances: rows.length, report }
}

const isGone = (): CannotCopy => new CannotCopy('The scan no longer exists.')

async function getDestinationIntake({ db }: Dependencies, transfer: TransferRow): Promise<IncomingObject> {
  const destination = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', transfer.destination_id)
    .where('status', '=', 'Activated')
    .where('datastore_id', 'is not', null)
    .executeTakeFirst()
  if (!destination) throw new CannotCopy('The destination can no longer receive scans.')
  const source = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', transfer.organization_id)
    .where('status', '=', 'Activated')
    .executeTakeFirst()
  if (!source) throw new CannotCopy('The organization of this scan was deactivated. The scan was not transferred.')
  // Who leaves a clinic takes nothing along with a transfer that is still to leave.
  const sender = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', transfer.user_id)
    .where('status', '=', 'Activated')
    .executeTakeFirst()
  if (!sender) throw new CannotCopy('The person who began the transfer was deactivated. The scan was not transferred.')
  const viewer = { userId: transfer.user_id, organizationId: transfer.organization_id }
  return {
    organizationId: destination.id,
    source: 'Transfer',
    isCopy: true,
    context: { viewer, request: { id: `transfer ${transfer.id}`, ip: 'this server' } },
  }
}

async function listInstances({ db }: Dependencies, organizationId: string, seriesUID: string): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select sop_instance_uid, instance_number, object_key, transfer_syntax_uid, images from instances
    where organization_id = ${organizationId} and series_uid = ${seriesUID}
    order by instance_number, sop_instance_uid`.execute(db)
  return rows
}

interface HowToCopy {
  readonly secret: Uint8Array
  readonly report: DeidentificationReport
  readonly look: Look | undefined
  readonly stepAside: StepAside
}

async function copyInstance(
  deps: Dependencies,
  transfer: TransferRow,
  incoming: IncomingObject,
  row: SourceRow,
  turn: Turn,
  { secret, report, look, stepAside }: HowToCopy,
): Promise<PreparedObject> {
  const source = await deps.stored.open(row, turn)
  try {
    const input = { secret, anonymize: transfer.anonymize, look }
    const copy = await deps.reader.runStored('copy', input, { turn, source })
    if ('problem' in copy) throw new CannotCopy(`Image ${row.instance_number}: ${copy.problem}`)
    addToReport(report, copy)
    const bytes = readRewritten(source, copy.rewritten, (pixels, frame) =>
      // Decoding takes long, and has turns of its own.
      stepAside(() => maskFrame(deps, transfer, { row, source, pixels, frame })),
    )
    const prepared = await prepare(deps, incoming, bytes, Number.MAX_SAFE_INTEGER)
    if (isPrepared(prepared)) return prepared
    const sentence = prepared.kind === 'refused' ? prepared.sentence : ''
    throw new CannotCopy(
      `Image ${row.instance_number} could not be rewritten: ${sentence} This scan was not transferred.`,
    )
  } catch (cause) {
    if (cause instanceof NoPicture)
      throw new CannotCopy(`Image ${row.instance_number}: ${cause.message} No part of it can be hidden. Leave it out.`)
    throw cause
  } finally {
    await source.close()
  }
}

interface FrameToMask {
  readonly row: SourceRow
  readonly source: ByteSource
  readonly pixels: DecodedPixels
  readonly frame: number
}

/** In the threads and in the turns of pictures; a full queue of theirs is no reason to give up. */
async function maskFrame(
  { pictures }: Dependencies,
  { id, organization_id: organizationId }: TransferRow,
  { row, source, pixels, frame }: FrameToMask,
): Promise<Buffer> {
  const request = {
    key: JSON.stringify([id, row.object_key, frame, 'masked']),
    owner: { organizationId, userId: `transfer ${id}` },
    bytes: 3 * decodedFrameBytes(pixels.layout),
    load: () => readMaskingJob(source, pixels, frame),
  }
  for (;;) {
    try {
      return await pictures.draw(request)
    } catch (cause) {
      if (!(cause instanceof TooManyPictures)) throw cause
      await pause(fullQueueMs)
    }
  }
}

function addToReport(report: DeidentificationReport, { counts, warnings }: CopiedObject): void {
  for (const [line, count] of counts) report.counts.set(line, (report.counts.get(line) ?? 0) + count)
  for (const warning of warnings) report.warnings.add(warning)
}

/** Copies that exist already come from before a restart. */
function assertStored(outcomes: readonly IntakeOutcome[]): void {
  const refusedOutcome = outcomes.find((outcome) => outcome.kind === 'refused')
  if (refusedOutcome?.kind === 'refused')
    throw new CannotCopy(`${refusedOutcome.sentence} This scan was not transferred.`)
}
