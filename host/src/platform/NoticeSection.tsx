import { getNotices, setNotices, switchNotices } from '@dmp/contract/releaseCalls'
import { useAct, useCan, useData } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { CopyText, DateText, ErrorAlert, Facts, Section } from '@dmp/kit/screen'
import { Button, StatusBadge } from '@dmp/kit/ui'
import { useState } from 'react'
import { NoticesModal } from './NoticesModal.tsx'

/** Whom the news of a part go to. */
export function NoticeSection({ part }: { part: string }) {
  const notices = useData(getNotices, { part })
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const mayEdit = useCan(setNotices)
  const { act, busy, error, reset } = useAct(switchNotices, { refreshes: [getNotices] })
  const { isOn, emails, webhook, lastDate } = notices
  const isForNobody = emails.length === 0 && webhook === null
  return (
    <Section
      title="Who is told"
      extra={
        mayEdit && (
          <Button size="small" onClick={() => setEditing(true)}>
            Change…
          </Button>
        )
      }
    >
      <p className="dmp-quiet">
        Of errors that are new, budgets that are spent and releases that were taken back: once an hour at most, and at
        once when a release was taken back.
      </p>
      <ErrorAlert error={error} onClose={reset} />
      {secret !== null && (
        <p role="status">
          The secret of the webhook, shown this once: <CopyText text={secret} label="Secret" />
        </p>
      )}
      {isForNobody ? (
        <p>Nobody is told yet.</p>
      ) : (
        <>
          <Facts
            facts={[
              { label: 'Mails', value: emails.join(', ') },
              {
                label: 'Webhook',
                value: webhook && (
                  <>
                    <Link to={`/account/webhooks/${webhook.id}`}>
                      <bdi>{webhook.url}</bdi>
                    </Link>{' '}
                    <StatusBadge value={webhook.status} tone={webhook.status === 'Active' ? 'success' : 'warning'} />
                  </>
                ),
              },
              { label: 'Last told', value: lastDate && <DateText value={lastDate} format="moment" /> },
            ]}
          />
          <div className="dmp-platform-actions">
            <StatusBadge value={isOn ? 'On' : 'Off'} tone={isOn ? 'success' : 'secondary'} />
            <Button size="small" disabled={busy} onClick={() => void act({ part, isOn: !isOn })}>
              {isOn ? 'Stop telling' : 'Go on telling'}
            </Button>
          </div>
        </>
      )}
      {isEditing && <NoticesModal notices={notices} onClose={() => setEditing(false)} onSecret={setSecret} />}
    </Section>
  )
}
