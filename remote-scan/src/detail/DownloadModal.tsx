import { Ticked, exact, scan } from '@dmp/contract'
import { call } from '@dmp/kit'
import { CheckboxField, FormModal } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import type { ScanSubject } from '../shared/scanSubject.ts'
import { startDownload } from '../shared/startDownload.ts'

const Confirmation = exact({ isSure: Ticked() })

/** 5.14: asks first; the one-time address opens in a new tab (7.38). */
export function DownloadModal({
  organizationId,
  seriesUID,
  subject,
  onClose,
}: {
  organizationId: string
  seriesUID: string
  subject: ScanSubject
  onClose: () => void
}) {
  return (
    <FormModal
      title="Download"
      // A confirmation is given anew each time.
      draft={false}
      schema={Confirmation}
      call={() => call(scan.download, { organizationId, seriesUID })}
      submitLabel="Download"
      onClose={onClose}
      onDone={({ downloadUrl }) => {
        startDownload(downloadUrl)
        notify.success('Download started')
        onClose()
      }}
    >
      <PatientHeader subject={subject} isCompact />
      <CheckboxField
        name="isSure"
        short="the confirmation"
        label="Are you sure you want to download this scan? This can be misused and private patient data can be leaked."
      />
    </FormModal>
  )
}
