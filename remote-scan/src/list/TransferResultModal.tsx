import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ScanRow, Transfer } from '@dmp/contract/scan'
import { useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { copy, ErrorAlert } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Alert, Button, CopyOutlined, Flex, Modal, notify, StatusBadge } from '@dmp/kit/ui'
import { noDescriptionText, partText } from '../shared/counts.ts'
import { UidText } from '../shared/UidText.tsx'
import { StopTransferModal } from './StopTransferModal.tsx'
import { TransferModal } from './TransferModal.tsx'
import { arrivedText, stateOf } from './transferProgress.ts'
import './list.css'

type Result = Transfer['scans'][number]

const toColumns = (named: ReadonlyMap<string, ScanRow> | undefined): Column<Result>[] => [
  {
    title: 'Patient Name',
    // Until the names are there, and where the scan was deleted since.
    value: ({ seriesUID }) => (named ? (named.get(seriesUID)?.patientName ?? null) : ''),
  },
  { title: 'Scan', value: ({ description }) => description || noDescriptionText() },
  { title: 'SeriesUID', field: 'seriesUID', render: (row) => <UidText uid={row.seriesUID} /> },
  {
    title: 'State',
    value: (row) => stateOf(row).value,
    render: (row) => <StatusBadge {...stateOf(row)} />,
  },
  { title: 'Frames', value: (row) => partText(row.imagesDone, row.images) },
  {
    title: 'Note',
    field: 'message',
    render: ({ message, held }) => (
      <>
        <bdi>{message ?? '–'}</bdi> {held && <Link to={`/scan/held/${held.id}`}>Look at the pictures</Link>}
      </>
    ),
  },
]

/** The result for each scan, and for an anonymized transfer the proof: which rule removed which attribute. */
export function TransferResultModal({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const [asksReport, setAsksReport] = useState(false)
  const [isStopping, setStopping] = useState(false)
  const {
    data: report,
    error,
    isPending,
  } = useLookup(scan.getTransferReport, { id: transfer.id }, { enabled: asksReport })
  const { data: named, error: nameError, refetch } = useLookup(scan.listTransferScans, { id: transfer.id })
  const [triesAgain, setTriesAgain] = useState(false)
  const failed = transfer.scans.filter(({ state }) => state === 'Failed').map(({ seriesUID }) => seriesUID)
  const isOver = transfer.finishedDate !== null
  const left = named?.scans.filter(({ seriesUID }) => failed.includes(seriesUID)) ?? []
  if (named && triesAgain)
    return (
      <TransferModal
        organizationId={named.organizationId}
        rows={left}
        again={transfer}
        onClose={() => setTriesAgain(false)}
        onStarted={onClose}
      />
    )
  const hasReport = transfer.anonymize && isOver && !transfer.scans.every(({ isStopped }) => isStopped)
  return (
    <Modal
      open
      width={960}
      title={`Transfer to ${transfer.dstOrganizationName}`}
      footer={
        <>
          {transfer.finishedDate === null && (
            <Button danger onClick={() => setStopping(true)}>
              Stop transfer…
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
          {isOver && left.length > 0 && (
            <Button type="primary" onClick={() => setTriesAgain(true)}>
              Try again…
            </Button>
          )}
        </>
      }
      onCancel={onClose}
    >
      <Flex vertical gap="middle">
        {isOver && failed.length > 0 && (
          <Alert
            type="warning"
            showIcon
            title={arrivedText(transfer.scans.length - failed.length, transfer.scans.length)}
          />
        )}
        <ErrorAlert error={nameError} onRetry={refetch} />
        <SimpleTable
          rows={failedFirst(transfer.scans)}
          columns={toColumns(named && new Map(named.scans.map((row) => [row.seriesUID, row])))}
          label="Result by scan"
          rowKey={(row) => row.seriesUID}
        />
        {hasReport && !report && (
          <Button loading={isPending} onClick={() => setAsksReport(true)}>
            Show what was removed
          </Button>
        )}
        <ErrorAlert error={error} />
        {report && (
          <Flex>
            <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copyReport(report.text)}>
              Copy report
            </Button>
          </Flex>
        )}
        {report && (
          <textarea
            className="transfer-report"
            readOnly
            rows={14}
            aria-label="Report of what was removed"
            value={report.text}
          />
        )}
      </Flex>
      {isStopping && <StopTransferModal transfer={transfer} onClose={() => setStopping(false)} />}
    </Modal>
  )
}

const failedFirst = (scans: readonly Result[]): Result[] =>
  scans.toSorted((a, b) => Number(b.state === 'Failed') - Number(a.state === 'Failed'))

async function copyReport(text: string): Promise<void> {
  if (await copy(text)) notify.success('Report copied to clipboard.')
  else notify.error('This browser does not allow copying. Select the text and copy it manually.')
}
