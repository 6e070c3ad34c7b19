import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { copy, ErrorAlert } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, CopyOutlined, Flex, Modal, notify, StatusBadge } from '@dmp/kit/ui'
import { UidText } from '../shared/UidText.tsx'
import { StopTransferModal } from './StopTransferModal.tsx'
import { stateOf } from './transferProgress.ts'
import './list.css'

type Result = Transfer['scans'][number]

const columns: Column<Result>[] = [
  { title: 'Scan', value: ({ description }) => description || 'No description' },
  { title: 'SeriesUID', field: 'seriesUID', render: (row) => <UidText uid={row.seriesUID} /> },
  {
    title: 'State',
    value: (row) => stateOf(row).value,
    render: (row) => <StatusBadge {...stateOf(row)} />,
  },
  { title: 'Images', value: (row) => `${row.imagesDone} of ${row.images}` },
  {
    title: 'Note',
    field: 'message',
    render: ({ message, held }) => (
      <>
        {message ?? '–'} {held && <Link to={`/scan/held/${held.id}`}>Look at the pictures</Link>}
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
  const hasReport = transfer.anonymize && transfer.finishedDate !== null
  return (
    <Modal
      open
      width={800}
      title={`Transfer to ${transfer.dstOrganizationName}`}
      footer={
        <>
          {transfer.finishedDate === null && (
            <Button danger onClick={() => setStopping(true)}>
              Stop transfer…
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
      onCancel={onClose}
    >
      <Flex vertical gap="middle">
        <SimpleTable rows={transfer.scans} columns={columns} label="Result by scan" rowKey={(row) => row.seriesUID} />
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

async function copyReport(text: string): Promise<void> {
  if (await copy(text)) notify.success('Report copied to clipboard.')
  else notify.error('This browser does not allow copying. Select the text and copy it manually.')
}
