import { useState } from 'react'
import * as v from 'valibot'
import { exact, limits, messages, scan } from '@dmp/contract'
import type { SharedScan } from '@dmp/contract/scan'
import { call, refresh, useAct } from '@dmp/kit'
import { PasswordField, SchemaForm, TextField } from '@dmp/kit/form'
import { DateText, ErrorAlert, Facts, formatDate } from '@dmp/kit/screen'
import { Button, DownloadOutlined, EyeOutlined } from '@dmp/kit/ui'
import { countOf, imagesText, noDescriptionText, seriesText } from '../shared/counts.ts'
import { startDownload } from '../shared/startDownload.ts'
import { openViewer } from './openShare.ts'
import type { ShareEnd } from './useShareEnd.ts'

interface Opening {
  readonly token: string
  readonly whileOpening: ShareEnd['whileOpening']
}

interface Invitation extends Opening {
  readonly shared: SharedScan
}

/** Before the link is opened in this browser. */
export function ShareInvitation({ token, shared, whileOpening }: Invitation) {
  return (
    <>
      <Facts columns={1} facts={listFacts(shared)} />
      {shared.codeGoesTo !== null ? (
        <CodeForm token={token} codeGoesTo={shared.codeGoesTo} whileOpening={whileOpening} />
      ) : shared.hasPassword ? (
        <PasswordForm token={token} whileOpening={whileOpening} />
      ) : (
        <OpenButtons token={token} allowsDownload={shared.allowsDownload} />
      )}
    </>
  )
}

function listFacts({ studies, expireDate, usesLeft, allowsDownload }: SharedScan) {
  const hasSeveral = studies.some(({ patient }) => patient !== studies[0]?.patient)
  return [
    ...studies.map(({ description, patient, studyDate, modalities, series, ...counted }, index) => ({
      label: studies.length === 1 ? 'Study' : `Study ${index + 1}`,
      value: [
        hasSeveral && patientText(patient),
        formatDate(studyDate, 'short'),
        description || noDescriptionText(),
        modalities.join(', '),
        series === 1 ? '' : seriesText(series),
        imagesText(countOf(counted)),
      ]
        .filter(Boolean)
        .join(' · '),
    })),
    { label: 'Valid until', value: <DateText value={expireDate} format="moment" /> },
    ...(usesLeft === null ? [] : [{ label: 'Can be opened', value: moreTimesText(usesLeft) }]),
    ...(allowsDownload ? [] : [{ label: 'Download', value: 'The sender allows looking only.' }]),
  ]
}

/** No secret: one press shows the images. */
function OpenButtons({ token, allowsDownload }: { token: string; allowsDownload: boolean }) {
  const visit = useAct(scan.visitShared, { onDone: ({ id }) => openViewer(id) })
  const download = useAct(scan.openShared, {
    refreshes: [scan.getShared],
    onDone: ({ downloadUrl }) => startDownload(downloadUrl),
  })
  const isBusy = visit.busy || download.busy
  return (
    <>
      <div className="share-actions">
        <Button type="primary" icon={<EyeOutlined />} disabled={isBusy} onClick={() => void visit.act({ token })}>
          View images
        </Button>
        {allowsDownload && (
          <Button icon={<DownloadOutlined />} disabled={isBusy} onClick={() => void download.act({ token })}>
            Download
          </Button>
        )}
      </div>
      <ErrorAlert error={visit.error ?? download.error} />
    </>
  )
}

const required = v.pipe(v.string(messages.required), v.nonEmpty(messages.required))
const WithPassword = exact({ password: required })
const WithCode = exact({ code: v.pipe(required, v.regex(/^\s*\d{6}\s*$/, 'Enter the 6 digits of the mail.')) })

const showOpened = () => refresh([scan.getShared])

function PasswordForm({ token, whileOpening }: Opening) {
  return (
    <SchemaForm
      schema={WithPassword}
      draft={false}
      call={({ password }: { password: string }) => whileOpening(call(scan.visitShared, { token, password }))}
      submitLabel="Open"
      onDone={showOpened}
    >
      <PasswordField
        name="password"
        label="Password"
        autoComplete="current-password"
        help="Ask the sender for the password."
      />
    </SchemaForm>
  )
}

function CodeForm({ token, codeGoesTo, whileOpening }: Opening & { readonly codeGoesTo: string }) {
  const [isSent, setIsSent] = useState(false)
  const { act, busy, error } = useAct(scan.sendShareCode, { onDone: () => setIsSent(true) })
  const send = () => void act({ token })
  return (
    <>
      <div className="share-code">
        <p role="status">
          {isSent
            ? `We sent a code to ${codeGoesTo}. It can take a minute to arrive and is valid for 10 minutes.`
            : `To open the images you need a code, which we send to ${codeGoesTo}.`}
        </p>
        <Button type={isSent ? 'default' : 'primary'} disabled={busy} onClick={send}>
          {isSent ? 'Send again' : 'Send code'}
        </Button>
        <ErrorAlert error={error} />
      </div>
      {isSent && (
        <SchemaForm
          schema={WithCode}
          draft={false}
          call={({ code }: { code: string }) => whileOpening(call(scan.visitShared, { token, code: code.trim() }))}
          submitLabel="Open"
          onDone={showOpened}
        >
          <TextField
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            max={limits.shareCodeChars + 2}
            autoFocus
          />
        </SchemaForm>
      )}
    </>
  )
}

/** A number in place of a name: who it is stays unsaid (P25). */
const patientText = (number: number): string => `Patient ${number}`

const moreTimesText = (count: number): string => (count === 1 ? '1 more time' : `${count} more times`)
