import * as inbox from '@dmp/contract/inbox'
import { limits } from '@dmp/contract/limits'
import { useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { InboxList } from './InboxList.tsx'
import { MarkAllButton } from './MarkAllButton.tsx'

/** Everything of the last 90 days that concerns the viewer. */
export default function InboxScreen() {
  const [pageSize, setPageSize] = useState<number>(limits.inboxPageSize)
  const found = useLookup(inbox.list, { pageSize }, { keepPrevious: () => true })
  const hasMore = found.data !== undefined && found.data.entries.length < found.data.total
  return (
    <Screen
      title="Inbox"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Inbox' }]}
      actions={
        <div className="dmp-inbox-actions">
          <Link to="/account/inbox">Choose what to be told</Link>
          <MarkAllButton found={found} />
        </div>
      }
    >
      <div className="dmp-inbox-page">
        <InboxList found={found} heading="h2" />
        {hasMore && (
          <Button
            loading={found.isFetching}
            onClick={() => setPageSize(Math.min(limits.inboxMostEntries, pageSize + limits.inboxPageSize))}
          >
            Show earlier
          </Button>
        )}
      </div>
    </Screen>
  )
}
