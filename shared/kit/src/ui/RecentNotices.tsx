import { formatTime } from '../dates/formatTime.ts'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { BellOutlined } from './icons.tsx'
import { Modal } from './Modal.tsx'
import { noticeIcons } from './Notices.tsx'
import { actOn, canActOn, useNotices } from './notify.ts'

/** The latest notices, to read again after they were hidden; for the top bar. */
export function RecentNotices() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        type="text"
        icon={<BellOutlined aria-hidden />}
        aria-label="Recent notifications"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <RecentNoticesModal onClose={() => setIsOpen(false)} />}
    </>
  )
}

function RecentNoticesModal({ onClose }: { onClose: () => void }) {
  return (
    <Modal open title="Recent notifications" footer={null} onCancel={onClose}>
      <NoticeList />
    </Modal>
  )
}

/** The latest notices of this page, newest first, with what they offer as long as it can be done. */
export function NoticeList() {
  const { recent } = useNotices()
  if (recent.length === 0) return <p>No notifications yet.</p>
  return (
    <ul className="dmp-recent">
      {recent.map((notice) => (
        <li key={notice.id} className={`dmp-notice--${notice.kind}`}>
          <span className="dmp-notice-icon" aria-hidden>
            {noticeIcons[notice.kind]}
          </span>
          <span>{notice.text}</span>
          {notice.action && canActOn(notice) && (
            <Button size="small" onClick={() => actOn(notice)}>
              {notice.action.label}
            </Button>
          )}
          <time dateTime={new Date(notice.at).toISOString()}>{formatTime(notice.at)}</time>
        </li>
      ))}
    </ul>
  )
}
