import { may } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { Screen, Section } from '@dmp/kit/screen'
import { ScanOrganization } from '../shared/ScanOrganization'
import { DropZone } from './DropZone.tsx'
import { UploadProgress } from './UploadProgress.tsx'
import { uploads, useUploads } from './uploads.ts'

/** Upload in the page: it goes on while other screens of the application are open. */
export function ScanUploadScreen() {
  const mayUpload = useCan(may('Scan', 'Upload'))
  const current = useUploads()
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
                      options={choices.map((one) => ({ value: one.id, label: one.name }))}
                      value={id}
                      onChange={choose}
                    />
                  )
                }
              >
                <DropZone organization={name} onPick={(picked) => uploads.add(id, picked)} />
              </Section>
              {current.files.length > 0 && <UploadProgress uploads={current} />}
            </>
          )}
        </ScanOrganization>
      ) : (
        <p>Your account may not upload scans. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}
