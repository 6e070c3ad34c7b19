import * as inbox from '@dmp/contract/inbox'
import { limits } from '@dmp/contract/limits'
import { useLookup } from '@dmp/kit'
import { Link } from '@dmp/kit/router'
import { Modal, NoticeList } from '@dmp/kit/ui'
import { InboxList } from './InboxList.tsx'
import { MarkAllButton } from './MarkAllButton.tsx'

const shownEntries = 10
/** Below the top bar, which stays in sight with its bell. */
const place = { top: limits.topBarPx + 8 }

/** The newest entries beside the page, and the messages of the page itself, which passed. */
export function InboxPanel({ onClose }: { onClose: () => void }) {
  const found = useLookup(inbox.list, { pageSize: shownEntries })
  return (
    <Modal open title="Inbox" className="dmp-inbox-panel" style={place} footer={null} onCancel={onClose}>
      <InboxList found={found} heading="h3" onGo={onClose} />
      <div className="dmp-inbox-actions">
        <MarkAllButton found={found} />
        <Link to="/inbox" onClick={onClose}>
          Open the inbox
        </Link>
        <Link to="/account/inbox" onClick={onClose}>
          Choose what to be told
        </Link>
      </div>
      <details className="dmp-inbox-notices">
        <summary>Messages of this page</summary>
        <NoticeList />
      </details>
    </Modal>
  )
}
