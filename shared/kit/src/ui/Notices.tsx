import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { placeClear } from './clearPlace.ts'
import {
  CheckCircleOutlined,
  CloseCircleOutlined,
  CloseOutlined,
  ExclamationCircleOutlined,
  InfoCircleOutlined,
} from './icons.tsx'
import { actOn, hideNotice, toNoticeMs, useNotices, type Notice, type NoticeKind } from './notify.ts'

export const noticeIcons: Readonly<Record<NoticeKind, React.ReactNode>> = {
  success: <CheckCircleOutlined />,
  info: <InfoCircleOutlined />,
  warning: <ExclamationCircleOutlined />,
  error: <CloseCircleOutlined />,
}

const placeAgainMs = 300

// Markup that stands before the code has no place for them: they come right after it is adopted.
const never = () => () => undefined
const isPage = () => true
const isMarkup = () => false

/** The notices of the page, top right beside its buttons, announced as they come. `ThemeProvider` draws it. */
export function Notices() {
  const { shown } = useNotices()
  const isDrawing = useSyncExternalStore(never, isPage, isMarkup)
  const box = useRef<HTMLElement>(null)
  // The page goes on: what follows a deletion is another page with other buttons.
  useLayoutEffect(() => {
    if (!box.current || shown.length === 0) return
    const place = () => box.current && placeClear(box.current)
    place()
    const timer = setInterval(place, placeAgainMs)
    return () => clearInterval(timer)
  }, [shown])
  if (!isDrawing) return null
  return createPortal(
    <section ref={box} className="dmp-notices" aria-label="Notifications">
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
  useCountdown(toNoticeMs(notice), isHeld || isHidden, () => hideNotice(notice.id))
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
        <button type="button" className="dmp-notice-action" onClick={() => actOn(notice)}>
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
function useCountdown(ms: number, isPaused: boolean, onEnd: () => void): void {
  const msLeft = useRef(ms)
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
