import { businessUser } from '@dmp/contract'
import { settings, useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'

/** Asks first, because it mails every active user (2.60, 8.07, 8.09). */
export function SendTermsModal({ onClose }: { onClose: () => void }) {
  const termsLink = settings().company.termsOfUse
  const { act, busy, error } = useAct(businessUser.sendUpdatedTermsOfUse)
  async function send() {
    // `act` returns null on success and undefined on failure.
    if ((await act({ termsLink })) === undefined) notify.error('Sending updated Terms of Use failed')
    else {
      notify.success('Updated Terms of Use sent successfully')
      onClose()
    }
  }
  return (
    <ConfirmModal
      title="Send Updated Terms"
      confirmLabel="Send"
      busy={busy}
      error={error}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <p>
        Every active user will get an email with this link to the terms of use:{' '}
        <a href={termsLink} target="_blank" rel="noopener noreferrer">
          {termsLink}
        </a>
      </p>
    </ConfirmModal>
  )
}
