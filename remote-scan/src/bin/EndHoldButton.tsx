import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { LegalHold } from '@dmp/contract/scan'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { Button, notify } from '@dmp/kit/ui'
import { noNameText } from '../shared/scanSubject.ts'

/** One patient may have several studies that are held. */
const nameHeld = ({ patientName, studyDescription }: LegalHold): string =>
  [patientName || noNameText(), studyDescription].filter(Boolean).join(' · ')

export function EndHoldButton({ hold }: { hold: LegalHold }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const { act, busy, error, reset } = useAct(scan.endHold, {
    refreshes: [scan.listHolds, scan.listBin],
    onDone: () => {
      notify.success('The legal hold has ended')
      close()
    },
  })
  return (
    <>
      <Button size="small" aria-label={`End the legal hold of ${nameHeld(hold)}`} onClick={() => setAsking(true)}>
        End
      </Button>
      {isAsking && (
        <ConfirmModal
          title="End the legal hold?"
          confirmLabel="End legal hold"
          danger
          busy={busy}
          error={error}
          onErrorClose={reset}
          onConfirm={() => void act({ id: hold.id })}
          onClose={close}
        >
          <p>
            <bdi>{hold.patientName || noNameText()}</bdi> <bdi>{hold.studyDescription}</bdi>
          </p>
          <p>The study can be deleted afterwards. What has been in the bin for long enough goes within an hour.</p>
        </ConfirmModal>
      )}
    </>
  )
}
