import { useState } from 'react'
import { limits, scan } from '@dmp/contract'
import { call, refresh, useCan } from '@dmp/kit'
import { CheckboxField, FormModal, SliderField, TextField } from '@dmp/kit/form'
import { ShareDraft } from './shareDraft.ts'
import { ShareLinkModal } from './ShareLinkModal.tsx'
import { ShareRecipientFields } from './ShareRecipientFields.tsx'
import { ShareSubject } from './ShareSubject.tsx'
import { useShareable } from './useShareable.ts'
import './share-dialog.css'

const daysText = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

interface ShareModalProps {
  readonly organizationId: string
  /** What is shared unless the dialog is told otherwise; more of the same study can be added in it. */
  readonly seriesUID: string
  /** Further scans, where several were chosen in a list. */
  readonly alsoSeriesUIDs?: readonly string[]
  readonly onClose: () => void
}

/** 4.08, 5.13: names what is shared, makes a link, then offers it for copying. */
export function ShareModal({ organizationId, seriesUID, alsoSeriesUIDs = [], onClose }: ShareModalProps) {
  const [made, setMade] = useState<{ link: string; recipient: string | null }>()
  const mayDownload = useCan(scan.download)
  const subject = useShareable(organizationId, [seriesUID, ...alsoSeriesUIDs])
  const share = ({ recipient, message, password, hasCode, isSure: _isSure, maxUses, ...choices }: ShareDraft) => {
    const [first, ...others] = subject.chosen
    const isByCode = hasCode && recipient !== null
    // What was not chosen is not sent: the call of the specification has none of it (7.38).
    return call(scan.share, {
      ...choices,
      organizationId,
      seriesUID: first,
      ...(others.length > 0 && { alsoSeriesUIDs: others }),
      ...(recipient !== null && { recipient, ...(message !== null && { message }) }),
      ...(isByCode ? { hasCode: true } : password !== null && { password }),
      ...(maxUses != null && { maxUses }),
    })
  }

  if (made !== undefined) return <ShareLinkModal {...made} onClose={onClose} />
  return (
    <FormModal
      title="Share"
      // A confirmation is given anew each time.
      draft={false}
      schema={ShareDraft}
      defaults={{ expireInDay: limits.shareDefaultDays, allowsDownload: false, hasCode: false }}
      call={share}
      submitLabel="Create Share Link"
      onClose={onClose}
      onDone={({ downloadUrl }, { recipient }) => {
        refresh([scan.listShares])
        // The server may return a path of its own origin.
        setMade({ link: new URL(downloadUrl, window.location.href).href, recipient })
      }}
    >
      <ShareSubject {...subject} />
      <SliderField
        name="expireInDay"
        label="Valid for"
        min={limits.shareMinDays}
        max={limits.shareMaxDays}
        words={daysText}
      />
      <ShareRecipientFields />
      <TextField
        name="maxUses"
        label="Number of openings (optional)"
        inputMode="numeric"
        max={4}
        help="Leave empty for unlimited openings."
      />
      {mayDownload && (
        <CheckboxField
          name="allowsDownload"
          label="Allow downloading"
          help="Otherwise the images can only be looked at, in the browser."
        />
      )}
      <CheckboxField
        name="isSure"
        short="the confirmation"
        label={
          subject.chosen.length === 1
            ? 'Are you sure you want to share this scan? This can be misused and private patient data can be leaked.'
            : 'Are you sure you want to share these scans? They can be misused and private patient data can be leaked.'
        }
      />
    </FormModal>
  )
}
