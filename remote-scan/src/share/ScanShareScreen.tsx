import { useState } from 'react'
import * as v from 'valibot'
import { exact, messages, scan } from '@dmp/contract'
import type { SharedScan } from '@dmp/contract/scan'
import { call, useData } from '@dmp/kit'
import { PasswordField, SchemaForm } from '@dmp/kit/form'
import { useParams } from '@dmp/kit/router'
import { DateText, Facts, PublicScreen, ScreenBoundary } from '@dmp/kit/screen'
import { Alert } from '@dmp/kit/ui'

const NoPassword = exact({})
const WithPassword = exact({ password: v.pipe(v.string(messages.required), v.nonEmpty(messages.required)) })

/** The page of a share link: its content and its end, nothing about the patient (P25). */
export function ScanShareScreen() {
  const { token = '' } = useParams()
  return (
    <PublicScreen title="Shared scan">
      <ScreenBoundary name="scan/share">
        <SharedDownload token={token} />
      </ScreenBoundary>
    </PublicScreen>
  )
}

function SharedDownload({ token }: { token: string }) {
  const shared = useData(scan.getShared, { token })
  const [isStarted, setStarted] = useState(false)
  if (isStarted)
    return (
      <Alert type="success" showIcon role="status" title="Download started" description="You can close this page." />
    )
  return (
    <>
      <p>A medical imaging scan has been shared with you. It downloads as a zip file of DICOM images.</p>
      <div style={{ marginBottom: 20 }}>
        <Facts columns={1} facts={listFacts(shared)} />
      </div>
      <SchemaForm
        schema={shared.hasPassword ? WithPassword : NoPassword}
        call={(values: { password?: string }) => call(scan.openShared, { token, password: values.password ?? null })}
        submitLabel="Download"
        onDone={({ downloadUrl }) => {
          window.open(downloadUrl, '_blank', 'noopener,noreferrer')
          setStarted(true)
        }}
      >
        {shared.hasPassword && (
          <PasswordField
            name="password"
            label="Password"
            autoComplete="current-password"
            help="Ask the sender for the password."
          />
        )}
      </SchemaForm>
    </>
  )
}

function listFacts({ expireDate, usesLeft }: SharedScan) {
  const until = { label: 'Valid until', value: <DateText value={expireDate} format="moment" /> }
  return usesLeft === null ? [until] : [until, { label: 'Downloads left', value: usesLeft }]
}
