import * as inbox from '@dmp/contract/inbox'
import { useKeys, useLookup } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Button, notify } from '@dmp/kit/ui'
import { useState } from 'react'
import './inbox.css'

// Loaded when it is wanted: no page waits for it.
const loadPanel = () => import('./InboxPanel.tsx')

/** The bell of the top bar: how much is unread, on every page and device alike, and the newest of it. */
export function InboxSlot() {
  const navigate = useNavigate()
  const found = useLookup(inbox.count, {}).data?.unread
  const unread = found ?? 0
  const [isOpen, setOpen] = useState(false)
  const [panel, setPanel] = useState<Awaited<ReturnType<typeof loadPanel>>>()
  const close = () => setOpen(false)
  const open = () => {
    setOpen(true)
    loadPanel().then(setPanel, () => {
      close()
      notify.error('The inbox could not be opened. Check your connection and try again.')
    })
  }
  useKeys([{ label: 'Inbox', group: 'Go to', keys: ['g i'], run: () => void navigate('/inbox') }])
  return (
    <>
      <Button
        type="text"
        aria-label={unread === 0 ? 'Inbox' : `Inbox, ${unread} unread`}
        aria-haspopup="dialog"
        icon={<Bell unread={unread} />}
        onPointerEnter={() => void loadPanel().catch(() => undefined)}
        onClick={open}
      />
      {found !== undefined && <Announcement unread={found} />}
      {panel && isOpen && <panel.InboxPanel onClose={close} />}
    </>
  )
}

/** Says when something new comes, politely; what a page finds when it is opened is no news. */
function Announcement({ unread }: { unread: number }) {
  const [last, setLast] = useState({ unread, isMore: false })
  if (last.unread !== unread) setLast({ unread, isMore: unread > last.unread })
  return (
    <span role="status" className="dmp-inbox-said">
      {last.isMore ? `Something new in your inbox: ${unread} unread.` : ''}
    </span>
  )
}

function Bell({ unread }: { unread: number }) {
  return (
    <span className="dmp-inbox-bell" aria-hidden>
      <svg className="dmp-outline" viewBox="0 0 24 24">
        <path d="M6 17v-6a6 6 0 0 1 12 0v6M4 17h16M10 20h4" />
      </svg>
      {unread > 0 && <span className="dmp-inbox-count">{unread > 99 ? '99+' : unread}</span>}
    </span>
  )
}
