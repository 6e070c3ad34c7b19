import { useState } from 'react'
import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { Screen, Section } from '@dmp/kit/screen'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import { DropZone } from './DropZone.tsx'
import { UploaderDownloads } from './UploaderDownloads.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { uploadQueue } from './uploadQueue.ts'
import { useUploads } from './uploadStore.ts'

/** Upload in the page: it continues while other screens of the application are open. */
export function ScanUploadScreen() {
  const mayUpload = useCan(may('Scan', 'Upload'))
  return (
    <Screen
      title="Upload"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Scan', url: '/scan' }, { name: 'Upload' }]}
    >
      {mayUpload ? (
        <ScanOrganization>{(shown) => <Upload {...shown} />}</ScanOrganization>
      ) : (
        <p>Your account is not allowed to upload scans. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}

/** Images in the wrong organization are hard to call back, so whoever has several to choose from chooses each time. */
function Upload({ id, name, choices, choose }: ShownOrganization) {
  const uploads = useUploads()
  const [chosenId, setChosenId] = useState<string>()
  const hasSeveral = choices !== undefined && choices.length > 1
  const target = hasSeveral ? choices.find((choice) => choice.id === chosenId) : { id, name }
  return (
    <>
      <Section
        title="DICOM files"
        extra={
          choices &&
          choose && (
            <Choice
              label="Organization"
              options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
              value={target?.id}
              onChange={(next) => {
                setChosenId(next)
                choose(next)
              }}
            />
          )
        }
      >
        {target ? (
          <DropZone organization={target.name} onPick={(picked) => uploadQueue.add(target.id, picked)} />
        ) : (
          <p>Choose the organization that the files belong to.</p>
        )}
      </Section>
      {uploads.files.length > 0 && <UploadProgress uploads={uploads} />}
      <UploaderDownloads />
    </>
  )
}
