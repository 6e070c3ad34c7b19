import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column, useEvery } from '@dmp/kit/table'
import { Button, Progress, StatusBadge } from '@dmp/kit/ui'
import { TransferResultModal } from '../shared/laterDialogs.tsx'
import { isHeld, outcomeOf, toPercent, scansText } from './transferProgress.ts'
import { LeavesIn } from './LeavesIn.tsx'
import { StopNowButton } from './StopNowButton.tsx'

const pollMs = 2000
/** While it waits for somebody to look at its pictures. */
const heldPollMs = 15_000
/** More than this is history, not news. */
const shownTransfers = 5

const none: readonly Transfer[] = []
const isRunning = ({ finishedDate }: Transfer): boolean => finishedDate === null

/** The transfers that the viewer started: progress while they run, the result afterwards. */
export function TransfersSection() {
  const { data: transfers = none, error, isFetching, refetch } = useLookup(scan.listTransfers, {})
  const [opened, setOpened] = useState<string>()
  const runs = transfers.some(isRunning)
  const pause = transfers.every((transfer) => !isRunning(transfer) || isHeld(transfer)) ? heldPollMs : pollMs

  // Asks again while a transfer is under way, and breaks off no answer that takes longer.
  useEvery(runs && !isFetching ? pause : undefined, refetch)

  const columns: Column<Transfer>[] = [
    { title: 'Started', field: 'createdDate', type: 'date' },
    { title: 'Destination', field: 'dstOrganizationName' },
    { title: 'Scans', value: scansText },
    { title: 'Anonymized', value: (row) => row.anonymize, type: 'boolean' },
    {
      title: 'State',
      value: (row) => outcomeOf(row).value,
      render: (row) =>
        row.leavesInSeconds === undefined ? (
          <StatusBadge {...outcomeOf(row)} />
        ) : (
          // A new answer begins to count anew.
          <LeavesIn key={row.leavesInSeconds} seconds={row.leavesInSeconds} />
        ),
    },
    {
      title: 'Progress',
      value: toPercent,
      render: (row) => (
        <Progress
          percent={toPercent(row)}
          size="small"
          aria-label={`Transfer to ${row.dstOrganizationName}`}
          status={row.state === 'Failed' ? 'exception' : isRunning(row) && !isHeld(row) ? 'active' : 'normal'}
        />
      ),
      width: 180,
    },
    {
      title: 'Result',
      acts: true,
      value: () => '',
      render: (row) => (
        <>
          {row.leavesInSeconds !== undefined && <StopNowButton transfer={row} />}{' '}
          <Button size="small" onClick={() => setOpened(row.id)}>
            Details
          </Button>
        </>
      ),
    },
  ]
  const openedTransfer = transfers.find(({ id }) => id === opened)
  if (transfers.length === 0 && !error) return null
  return (
    <Section title="Transfers">
      <ErrorAlert error={error} onRetry={refetch} />
      {transfers.length > 0 && (
        <SimpleTable
          rows={transfers.slice(0, shownTransfers)}
          columns={columns}
          label="Transfers"
          rowKey={(row) => row.id}
        />
      )}
      {openedTransfer && <TransferResultModal transfer={openedTransfer} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}
