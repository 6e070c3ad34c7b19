import { Email, exact, Password } from '@dmp/contract/fields'
import { limits } from '@dmp/contract/limits'
import { getNotices, setNotices } from '@dmp/contract/releaseCalls'
import type { Notices } from '@dmp/contract/releaseNotices'
import { WebhookUrl } from '@dmp/contract/webhook'
import { call, refresh } from '@dmp/kit'
import { FormModal, PasswordField, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import * as v from 'valibot'

const toList = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')
const problem = () => `Write at most ${limits.noticeAddresses} email addresses, with commas between them.`
const NoticesForm = exact({
  emails: v.pipe(
    v.string(problem),
    v.check((text) => {
      const list = toList(text)
      return list.length <= limits.noticeAddresses && list.every((address) => v.is(Email, address))
    }, problem),
  ),
  url: v.union([v.literal(''), WebhookUrl]),
  password: Password,
})
type NoticesForm = v.InferOutput<typeof NoticesForm>

interface Props {
  readonly notices: Notices
  readonly onClose: () => void
  /** Of a new webhook, the only time that it is told. */
  readonly onSecret: (secret: string | null) => void
}

export function NoticesModal({ notices: { part, emails, webhook }, onClose, onSecret }: Props) {
  return (
    <FormModal
      title="Who is told"
      // It holds the person's password.
      draft={false}
      schema={NoticesForm}
      defaults={{ emails: emails.join(', '), url: webhook?.url ?? '' }}
      call={({ emails: addresses, url, password }: NoticesForm) =>
        call(setNotices, { part, emails: toList(addresses), url: url === '' ? null : url, password })
      }
      submitLabel="Save"
      onClose={onClose}
      onDone={({ secret }) => {
        refresh([getNotices])
        onSecret(secret ?? null)
        notify.success('Saved')
        onClose()
      }}
    >
      <TextField
        name="emails"
        label="Email addresses"
        help="Of the team that ships the part, with commas between them."
      />
      <TextField
        name="url"
        label="Webhook"
        max={limits.webhookUrlMaxChars}
        help="Where a program of the team listens. It begins with “https:”."
      />
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        help="It goes on after your session, so please confirm that it is you."
      />
    </FormModal>
  )
}
