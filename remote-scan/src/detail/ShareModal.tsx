import { useState } from 'react'
import { limits, scan } from '@dmp/contract'
import { call, refresh } from '@dmp/kit'
import { CheckboxField, FormModal, PasswordField, SliderField, TextField } from '@dmp/kit/form'
import { ShareDraft } from './shareDraft.ts'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import type { ScanSubject } from '../shared/scanSubject.ts'
import { ShareLinkModal } from './ShareLinkModal.tsx'

const inDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

/** 4.08, 5.13: makes a link, then offers it for copying. */
export function ShareModal({
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
  const [link, setLink] = useState<string>()
  const share = ({ expireInDay, password, maxUses }: ShareDraft) =>
    call(scan.share, { organizationId, seriesUID, expireInDay, password, maxUses: maxUses ?? null })

  if (link !== undefined) return <ShareLinkModal link={link} onClose={onClose} />
  return (
    <FormModal
      title="Share"
      // A confirmation is given anew each time.
      draft={false}
      schema={ShareDraft}
      defaults={{ expireInDay: limits.shareDefaultDays }}
      call={share}
      submitLabel="Create Share Link"
      onClose={onClose}
      onDone={({ downloadUrl }) => {
        refresh([scan.listShares])
        // The server may return a path of its own origin.
        setLink(new URL(downloadUrl, window.location.href).href)
      }}
    >
      <PatientHeader subject={subject} isCompact />
      <SliderField
        name="expireInDay"
        label="Valid for"
        min={limits.shareMinDays}
        max={limits.shareMaxDays}
        words={inDays}
      />
      <PasswordField
        name="password"
        label="Link password (optional)"
        autoComplete="new-password"
        help="The recipient has to type it. Send the password separately from the link."
      />
      <TextField
        name="maxUses"
        label="Number of downloads (optional)"
        inputMode="numeric"
        max={4}
        help="Leave empty for unlimited downloads."
      />
      <CheckboxField
        name="isSure"
        short="the confirmation"
        label="Are you sure you want to share this scan? This can be misused and private patient data can be leaked."
      />
    </FormModal>
  )
}
