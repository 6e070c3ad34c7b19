import { useState } from 'react'
import { dicomPartner } from '@dmp/contract'
import type { DicomCaller } from '@dmp/contract/dicomPartner'
import { useAct, useCan, useData, useUser } from '@dmp/kit'
import { DateText, ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { reasonTexts } from './dicomPartnerTexts.ts'
import { NewPartnerModal } from './NewPartnerModal.tsx'

/** Who called in vain: each becomes a partner by a click. */
export function RefusedCallers() {
  const callers = useData(dicomPartner.listCallers, {})
  const [chosen, setChosen] = useState<DicomCaller>()
  if (callers.length === 0) return <p>Nobody was refused within the last 30 days.</p>
  return (
    <>
      <ul className="dicom-callers">
        {callers.map((caller) => (
          <Caller key={caller.id} caller={caller} onAdd={() => setChosen(caller)} />
        ))}
      </ul>
      {chosen && <NewPartnerModal caller={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

function Caller({ caller, onAdd }: { caller: DicomCaller; onAdd: () => void }) {
  const { organization } = useUser()
  const mayAdd = useCan(dicomPartner.add) && organization === caller.organization
  const mayDismiss = useCan(dicomPartner.dismissCaller)
  const { act, busy, error, reset } = useAct(dicomPartner.dismissCaller, { refreshes: [dicomPartner.listCallers] })
  const { aeTitle, address, reason, times, lastDate, fingerprint } = caller
  return (
    <li>
      <div>
        <p>
          <strong>{aeTitle}</strong> from {address}
          {organization !== caller.organization && ` to ${caller.organization}`}
        </p>
        <p className="dicom-callers-quiet">
          {reasonTexts[reason]}. {times === 1 ? 'Once' : `${times} times`}, last on{' '}
          <DateText value={lastDate} format="moment" />
        </p>
        {fingerprint && <p className="dicom-callers-quiet dicom-partner-fingerprint">{fingerprint}</p>}
        {error && <ErrorAlert error={error} onClose={reset} />}
      </div>
      <div className="dicom-callers-actions">
        {mayAdd && reason === 'Unknown' && (
          <Button type="primary" onClick={onAdd} aria-label={`Add ${aeTitle} from ${address}`}>
            Add
          </Button>
        )}
        {mayDismiss && (
          <Button
            loading={busy}
            onClick={() => void act({ id: caller.id })}
            aria-label={`Dismiss ${aeTitle} from ${address}`}
          >
            Dismiss
          </Button>
        )}
      </div>
    </li>
  )
}
