import * as inbox from '@dmp/contract/inbox'
import { toInboxSentence, type InboxEntry } from '@dmp/contract/inbox'
import { useAct, type Lookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { ErrorAlert, formatDate } from '@dmp/kit/screen'
import { Skeleton } from '@dmp/kit/ui'
import { byDay, formatAgo } from './byDay.ts'

interface Props {
  readonly found: Lookup<typeof inbox.list>
  /** The heading above a day: below that of the page or of the dialog. */
  readonly heading: 'h2' | 'h3'
  readonly onGo?: () => void
}

/** The entries by day, or why there are none to be seen. Whoever follows one has read it. */
export function InboxList({ found, heading: Heading, onGo }: Props) {
  const { data, error, refetch } = found
  const { act: markRead } = useAct(inbox.markRead, { refreshes: [inbox.count, inbox.list] })
  const follow = ({ id, isUnread }: InboxEntry) => {
    if (isUnread) void markRead({ id })
    onGo?.()
  }
  return (
    <>
      <ErrorAlert error={error} onRetry={refetch} />
      {!data && !error && (
        <div role="status" aria-label="Loading">
          <Skeleton rows={4} title={false} />
        </div>
      )}
      {data?.entries.length === 0 && (
        <p className="dmp-inbox-quiet">
          Nothing here yet. You will be told here when something happens that concerns you, such as an answer to a
          complaint or a link that somebody opened.
        </p>
      )}
      {byDay(data?.entries ?? []).map(({ day, entries }) => (
        <section key={day} className="dmp-inbox-day" aria-label={day}>
          <Heading>{day}</Heading>
          <ul>
            {entries.map((entry) => (
              <li key={entry.id} data-unread={entry.isUnread || undefined}>
                <Link to={entry.link} onClick={() => follow(entry)}>
                  {entry.isUnread && <span className="dmp-inbox-unread">Unread: </span>}
                  <bdi>{toInboxSentence(entry)}</bdi>
                </Link>
                <time dateTime={entry.date} title={formatDate(entry.date, 'moment')}>
                  {formatAgo(entry.date)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
