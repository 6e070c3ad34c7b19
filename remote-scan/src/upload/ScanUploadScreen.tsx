import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { Screen, Section } from '@dmp/kit/screen'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { DropZone } from './DropZone.tsx'
import { UploaderDownloads } from './UploaderDownloads.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { uploadQueue } from './uploadQueue.ts'
import { useUploads } from './uploadStore.ts'

/** Upload in the page: it continues while other screens of the application are open. */
export function ScanUploadScreen() {
  const mayUpload = useCan(may('Scan', 'Upload'))
  const uploads = useUploads()
  return (
    <Screen
      title="Upload"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Scan', url: '/scan' }, { name: 'Upload' }]}
    >
      {mayUpload ? (
        <ScanOrganization>
          {({ id, name, choices, choose }) => (
            <>
              <Section
                title="DICOM files"
                extra={
                  choices &&
                  choose && (
                    <Choice
                      label="Organization"
                      options={choices.map((choice) => ({ value: choice.id, label: choice.name }))}
                      value={id}
                      onChange={choose}
                    />
                  )
                }
              >
                <DropZone organization={name} onPick={(picked) => uploadQueue.add(id, picked)} />
              </Section>
              {uploads.files.length > 0 && <UploadProgress uploads={uploads} />}
              <UploaderDownloads />
            </>
          )}
        </ScanOrganization>
      ) : (
        <p>Your account is not allowed to upload scans. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}
