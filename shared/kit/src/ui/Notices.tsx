import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import {
  CheckCircleOutlined,
  CloseCircleOutlined,
  CloseOutlined,
  ExclamationCircleOutlined,
  InfoCircleOutlined,
} from './icons.tsx'
import { hideNotice, noticeMs, useNotices, type Notice, type NoticeKind } from './notify.ts'

export const noticeIcons: Readonly<Record<NoticeKind, React.ReactNode>> = {
  success: <CheckCircleOutlined />,
  info: <InfoCircleOutlined />,
  warning: <ExclamationCircleOutlined />,
  error: <CloseCircleOutlined />,
}

/** The notices of the page, top right, announced as they come. `ThemeProvider` draws it. */
export function Notices() {
  const { shown } = useNotices()
  return createPortal(
    <section className="dmp-notices" aria-label="Notifications">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </section>,
    document.body,
  )
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { action } = notice
  const [isHeld, setIsHeld] = useState(false)
  const isHidden = useSyncExternalStore(followVisibility, () => document.hidden)
  useCountdown(isHeld || isHidden, () => hideNotice(notice.id))
  return (
    <div
      className={`dmp-notice dmp-notice--${notice.kind}`}
      role={notice.kind === 'error' || notice.kind === 'warning' ? 'alert' : 'status'}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span className="dmp-notice-icon" aria-hidden>
        {noticeIcons[notice.kind]}
      </span>
      <span className="dmp-notice-text">{notice.text}</span>
      {action && (
        <button
          type="button"
          className="dmp-notice-action"
          onClick={() => {
            hideNotice(notice.id)
            action.onAct()
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        className="dmp-notice-close"
        aria-label="Close notification"
        onClick={() => hideNotice(notice.id)}
      >
        <CloseOutlined />
      </button>
    </div>
  )
}

function followVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

// 9.09: a notice hides after its time; time while it is paused does not count.
function useCountdown(isPaused: boolean, onEnd: () => void): void {
  const msLeft = useRef<number>(noticeMs)
  const end = useRef(onEnd)
  // A timer outlives the render that started it.
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    if (isPaused) return
    const started = Date.now()
    const timer = setTimeout(() => end.current(), msLeft.current)
    return () => {
      clearTimeout(timer)
      msLeft.current = Math.max(1000, msLeft.current - (Date.now() - started))
    }
  }, [isPaused])
}
