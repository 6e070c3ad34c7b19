import { objectsText } from '../shared/counts.ts'
import { scan } from '@dmp/contract'
import type { Conflict, ConflictSide } from '@dmp/contract/scan'
import { useAct, useCan, personName } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { DateText, ErrorAlert, formatDate } from '@dmp/kit/screen'
import { Button, Modal, notify } from '@dmp/kit/ui'
import { getSender, getWords, kindLabels } from './conflictTexts.ts'
import './conflicts.css'

/** Both sides of a conflict beside each other, and what to do (docs/decisions/0055-conflicts.md). */
export function ConflictModal({ conflict, onClose }: { conflict: Conflict; onClose: () => void }) {
  const maySettle = useCan(scan.settleConflict)
  const { act, busy, error, reset } = useAct(scan.settleConflict, {
    refreshes: [scan.listConflicts],
    onDone: () => {
      notify.success('Conflict marked as settled')
      onClose()
    },
  })
  const { fact, steps } = getWords(conflict)
  const isOpen = conflict.settledDate === null
  return (
    <Modal
      open
      width={860}
      title={kindLabels[conflict.kind]}
      onCancel={onClose}
      footer={
        <>
          {maySettle && isOpen && (
            <Button type="primary" loading={busy} onClick={() => void act({ id: conflict.id })}>
              Mark as settled
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <p>{fact}</p>
      <Sides conflict={conflict} />
      <h3 className="scan-conflict-heading">What to do</h3>
      <ol className="scan-conflict-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
        {isOpen && <li>Mark this conflict as settled. It opens again if another such image arrives.</li>}
      </ol>
      <StoredLinks conflict={conflict} />
      <Arrival conflict={conflict} />
      <ErrorAlert error={error} onClose={reset} />
    </Modal>
  )
}

const facts: readonly { readonly label: string; readonly key: keyof ConflictSide }[] = [
  { label: 'Patient Name', key: 'patientName' },
  { label: 'Patient ID', key: 'patientID' },
  { label: 'Birth Date', key: 'birthDate' },
  { label: 'Sex', key: 'sex' },
  { label: 'Study Date', key: 'studyDate' },
  { label: 'Study Description', key: 'studyDescription' },
  { label: 'Accession Number', key: 'accessionNumber' },
  { label: 'Modality', key: 'modality' },
  { label: 'Series Description', key: 'seriesDescription' },
  { label: 'StudyUID', key: 'studyUID' },
  { label: 'SeriesUID', key: 'seriesUID' },
]

const toSideText = (side: ConflictSide, key: keyof ConflictSide): string =>
  (key.endsWith('Date') ? formatDate(side[key], 'short') : side[key]) || '–'

function Sides({ conflict: { kind, stored, arrived, isStored } }: { conflict: Conflict }) {
  // A conflict about a whole study has no stored series to compare with.
  const shown = facts.filter(
    ({ key }) => kind !== 'OtherPatient' || !['modality', 'seriesDescription', 'seriesUID'].includes(key),
  )
  return (
    <table className="scan-conflict-sides" aria-label="Both sides">
      <thead>
        <tr>
          <th scope="col">Fact</th>
          <th scope="col">Stored</th>
          <th scope="col">{isStored ? 'Stored with it' : 'Arrived'}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ label, key }) => {
          const differs = stored[key] !== null && arrived[key] !== null && stored[key] !== arrived[key]
          return (
            <tr key={key} data-differs={differs}>
              <th scope="row">
                {label}
                {differs && <span className="scan-conflict-differs">differs</span>}
              </th>
              <td>
                <bdi>{toSideText(stored, key)}</bdi>
              </td>
              <td>
                <bdi>{toSideText(arrived, key)}</bdi>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function StoredLinks({ conflict: { organizationId, stored, arrived, isStored } }: { conflict: Conflict }) {
  const toScan = (seriesUID: string) => `/scan/detail/${organizationId}/${seriesUID}`
  return (
    <p className="scan-conflict-links">
      {stored.seriesUID === null ? (
        <Link to={`/scan?searchTerm=${stored.studyUID}`}>Show the scans of the stored study</Link>
      ) : (
        <Link to={toScan(stored.seriesUID)}>Open the stored scan</Link>
      )}
      {isStored && arrived.seriesUID !== null && arrived.seriesUID !== stored.seriesUID && (
        <Link to={toScan(arrived.seriesUID)}>Open the scan that contradicts</Link>
      )}
    </p>
  )
}

function Arrival({ conflict }: { conflict: Conflict }) {
  const { objects, source, lastDate, instanceUID, settledDate, settledByUser } = conflict
  const sender = getSender(conflict)
  return (
    <p className="scan-conflict-arrival">
      {objectsText(objects)} · {source}
      {sender && ` · sent by ${sender}`} · <DateText value={lastDate} format="moment" />
      <br />
      {objects > 1 ? 'One of them' : 'Its UID'}: {instanceUID}
      {settledDate && (
        <>
          <br />
          Settled {settledByUser && `by ${personName(settledByUser)} `}on{' '}
          <DateText value={settledDate} format="moment" />
        </>
      )}
    </p>
  )
}
