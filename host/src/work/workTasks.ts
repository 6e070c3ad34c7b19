import type { Answer } from '@dmp/contract/endpoint'
import type { OrganizationExport, OrganizationImport } from '@dmp/contract/organization'
import * as scan from '@dmp/contract/scan'
import type { Transfer } from '@dmp/contract/scan'
import { formatNumber } from '@dmp/kit'
import { formatDate } from '@dmp/kit/screen'
import { takeBack, type Task } from '@dmp/kit/ui'

export const count = ({ scans }: Transfer, state: Transfer['state']): number =>
  scans.filter((one) => one.state === state).length

export const countHeld = ({ scans }: Transfer): number =>
  scans.reduce((sum, { held }) => sum + (held?.pictures ?? 0), 0)

/** Nothing happens before somebody has looked: every scan that is left is held back. */
export const isHeld = (transfer: Transfer): boolean =>
  transfer.finishedDate === null &&
  countHeld(transfer) > 0 &&
  transfer.scans.every(({ state, held }) => held !== undefined || state === 'Done' || state === 'Failed')

const scansText = (scans: number): string => (scans === 1 ? '1 scan' : `${formatNumber(scans)} scans`)

const toPercent = (done: number, all: number): number => (all === 0 ? 0 : Math.floor((100 * done) / all))
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

export function ofTransfer(transfer: Transfer): Task {
  const { id, dstOrganizationName: to, scans, finishedDate, leavesInSeconds } = transfer
  return {
    id: `scan/transfer/${id}`,
    title: `Transfer to ${to}`,
    url: isHeld(transfer) ? '/scan/held' : '/scan',
    percent:
      finishedDate !== null && count(transfer, 'Failed') === 0
        ? 100
        : toPercent(sum(scans.map(({ imagesDone }) => imagesDone)), sum(scans.map(({ images }) => images))),
    state: toTransferState(transfer),
    note: toTransferNote(transfer),
    ...(leavesInSeconds !== undefined && { action: { label: 'Stop', onAct: () => stop(transfer) } }),
  }
}

function toTransferState(transfer: Transfer): Task['state'] {
  // What somebody stopped is no alarm.
  if (transfer.finishedDate !== null)
    return transfer.scans.some(({ state, isStopped }) => state === 'Failed' && !isStopped) ? 'failed' : 'done'
  return transfer.state === 'Queued' || isHeld(transfer) ? 'waiting' : 'running'
}

function toTransferNote(transfer: Transfer): string {
  const { scans, finishedDate, leavesInSeconds } = transfer
  if (leavesInSeconds !== undefined) return leavesText(scansText(scans.length), leavesInSeconds)
  if (isHeld(transfer)) return 'Waits until somebody has looked at its pictures'
  const arrived = count(transfer, 'Done')
  if (finishedDate !== null && scans.some(({ isStopped }) => isStopped))
    return arrived === 0 ? 'Stopped. Nothing was sent.' : stoppedText(arrivedText(arrived, scansText(scans.length)))
  return finishedDate !== null && arrived === scans.length
    ? allArrivedText(scansText(arrived))
    : arrivedText(arrived, scansText(scans.length))
}

const leavesText = (scans: string, seconds: number): string => `Leaves in ${seconds} seconds: ${scans}`
const stoppedText = (arrived: string): string => `Stopped: ${arrived}`
const allArrivedText = (scans: string): string => `${scans} arrived`
const arrivedText = (arrived: number, all: string): string => `${arrived} of ${all} arrived`

const stop = ({ id }: Transfer): Promise<void> =>
  takeBack({
    by: scan.stopTransfer,
    input: { id },
    refreshes: [scan.listTransfers, scan.listHeld],
    toText: ({ dstOrganizationName: to, scans }) =>
      scans.some(({ state }) => state === 'Done')
        ? `Transfer to ${to} stopped`
        : `Transfer to ${to} stopped. Nothing was sent.`,
  })

/** What somebody ended, or what ran out, is no news to them. */
export function ofExport({ id, state, objects, objectsDone }: OrganizationExport): Task | undefined {
  if (state === 'Ended' || state === 'Expired') return undefined
  return {
    id: `organization/export/${id}`,
    title: 'Export of the organization',
    url: '/account/organization/export',
    percent: state === 'Ready' ? 100 : Math.min(99, toPercent(objectsDone, objects)),
    state: ({ Waiting: 'waiting', Running: 'running', Ready: 'done', Failed: 'failed' } as const)[state],
    note: (
      {
        Waiting: 'Waits for its turn',
        Running: 'Is being prepared',
        Ready: 'Ready to download',
        Failed: 'Failed. Its page says why.',
      } as const
    )[state],
  }
}

export function ofImport(item: OrganizationImport): Task | undefined {
  const { id, state, bytes, bytesArrived, objects, stored, present, refused } = item
  if (state === 'Ended' || state === 'Expired') return undefined
  const percent =
    state === 'Uploading' ? toPercent(bytesArrived, bytes) : toPercent(stored + present + refused, objects)
  return {
    id: `organization/import/${id}`,
    title: 'Import into the organization',
    url: '/account/organization/import',
    percent: state === 'Done' ? 100 : Math.min(99, percent),
    state: ({ Uploading: 'waiting', Waiting: 'waiting', Running: 'running', Done: 'done', Failed: 'failed' } as const)[
      state
    ],
    note: (
      {
        Uploading: 'Its archive has not arrived whole. Its page goes on with the upload.',
        Waiting: 'Waits for its turn',
        Running: 'Is being taken in',
        Done: 'Done. Its page says what was stored.',
        Failed: 'Failed. Its page says why.',
      } as const
    )[state],
  }
}

type Deletion = Answer<typeof scan.listOwnDeletions>[number]

export function ofDeletion({ organizationId, seriesIdList, deletedDate }: Deletion): Task {
  const scans = seriesIdList.length
  return {
    id: `scan/deletion/${organizationId}/${deletedDate}`,
    title: scans === 1 ? 'Scan deleted' : `${formatNumber(scans)} scans deleted`,
    url: '/scan/bin',
    percent: 100,
    state: 'done',
    note: `In the bin since ${formatDate(deletedDate, 'moment')}`,
    action: {
      label: 'Undo',
      onAct: () =>
        takeBack({
          by: scan.undoDelete,
          input: { organizationId, seriesIdList },
          refreshes: scan.scanLists,
          toText: () => (scans === 1 ? 'Scan restored' : `${formatNumber(scans)} scans restored`),
        }),
    },
  }
}
