import { useState } from 'react'
import { dicomPartner } from '@dmp/contract'
import type { DicomCaller } from '@dmp/contract/dicomPartner'
import { useAct, useCan, useData, useUser } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { DateText, ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { reasonTexts } from './dicomPartnerTexts.ts'
import { NewPartnerModal } from './NewPartnerModal.tsx'

/** Who called in vain: each becomes a partner by a click. */
export function RefusedCallers() {
  const callers = useData(dicomPartner.listCallers, {})
  const [chosen, setChosen] = useState<DicomCaller>()
  return (
    <>
      {callers.length === 0 && (
        <p>Nobody is waiting to be let in. Whoever is refused stays on this list for 30 days.</p>
      )}
      <ul className="dicom-callers">
        {callers.map((caller) => (
          <Caller key={caller.id} caller={caller} onAdd={() => setChosen(caller)} />
        ))}
      </ul>
      <RefusalHelp />
      {chosen && <NewPartnerModal caller={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

/** What devices show, and where its cause is found: not every one of them is on the list. */
function RefusalHelp() {
  return (
    <dl className="dicom-callers-help dicom-callers-quiet">
      <dt>The device says “Calling AE Title Not Recognized”</dt>
      <dd>It is on this list within seconds. Add it, or correct its partner.</dd>
      <dt>The device says “Called AE Title Not Recognized”</dt>
      <dd>It calls another AE title than that of your organization above, and is not on this list.</dd>
      <dt>The device gets no answer</dt>
      <dd>It has another host or port, or a firewall is between. Ask the operator of your network.</dd>
    </dl>
  )
}

function Caller({ caller, onAdd }: { caller: DicomCaller; onAdd: () => void }) {
  const { organization } = useUser()
  const mayAdd = useCan(dicomPartner.add) && organization === caller.organization
  const mayDismiss = useCan(dicomPartner.dismissCaller)
  const { act, busy, error, reset } = useAct(dicomPartner.dismissCaller, { refreshes: [dicomPartner.listCallers] })
  const { aeTitle, address, reason, times, lastDate, fingerprint, partnerId } = caller
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
        {reason !== 'Unknown' && partnerId && (
          <Link to={`/account/dicom-partners/${partnerId}`} aria-label={`Partner ${aeTitle}`}>
            Show partner
          </Link>
        )}
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
