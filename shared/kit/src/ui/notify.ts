import { limits } from '@dmp/contract/limits'
import { onPersonChange } from '@dmp/kit'
import { observable } from './observable.ts'

export type NoticeKind = 'success' | 'info' | 'warning' | 'error'

/** The way back from what a notice tells of. */
export interface NoticeAction {
  readonly label: string
  readonly onAct: () => void
  /** ms for which the way back is open, where it closes by itself. */
  readonly forMs?: number
}

export interface Notice {
  readonly id: number
  readonly kind: NoticeKind
  readonly text: string
  readonly action?: NoticeAction
  /** ms since 1970 */
  readonly at: number
}

interface NoticesState {
  readonly shown: readonly Notice[]
  /** The latest notices, newest first, hidden ones included. */
  readonly recent: readonly Notice[]
}

const maxRecentNotices = 20
const maxShownNotices = 4
let lastId = 0

const notices = observable<NoticesState>({ shown: [], recent: [] })

/** Follows the notices. */
export const useNotices = notices.use
export const getNotices = notices.get

function show(kind: NoticeKind, text: string, action?: NoticeAction): void {
  const notice = { id: ++lastId, kind, text, at: Date.now(), ...(action && { action }) }
  notices.set(({ shown, recent }) => ({
    // Repeating a sentence that is already shown adds nothing.
    shown: [...shown.filter((other) => other.text !== text), notice].slice(-maxShownNotices),
    recent: [notice, ...recent].slice(0, maxRecentNotices),
  }))
}

/** WCAG 2.2.1 gives people twenty seconds for a simple act, such as to press a key. */
const actionMs = 20_000

/** How long a notice is shown (9.09); one that offers something stays as long as people need to reach it. */
export const toNoticeMs = ({ action }: Notice): number =>
  action ? Math.max(action.forMs ?? actionMs, limits.noticeMs) : limits.noticeMs

/** Whether what a notice offers can still be done. */
export const canActOn = ({ at, action }: Notice): boolean =>
  action !== undefined && (action.forMs === undefined || Date.now() < at + action.forMs)

const withoutAction = ({ action: _done, ...notice }: Notice): Notice => notice

/** Takes the way back of a notice, once. */
export function actOn({ id, action }: Notice): void {
  notices.set(({ shown, recent }) => ({
    shown: shown.filter((notice) => notice.id !== id),
    recent: recent.map((notice) => (notice.id === id ? withoutAction(notice) : notice)),
  }))
  action?.onAct()
}

export function hideNotice(id: number): void {
  notices.set(({ shown, recent }) => ({ shown: shown.filter((notice) => notice.id !== id), recent }))
}

/**
 * Notices: top right, hidden after 5 s (9.09), or with an action after 20 s or as long as that is possible; the
 * countdown pauses while a notice is pointed at or focused and while the tab is hidden. Afterwards what it says, and
 * offers, stands among the messages of the page.
 * An error also stands where it happened: a notice is never the only place.
 *
 * @example notify.success('Scan deleted', { label: 'Undo', onAct: undo })
 */
export const notify = {
  success: (text: string, action?: NoticeAction): void => show('success', text, action),
  info: (text: string): void => show('info', text),
  warning: (text: string): void => show('warning', text),
  error: (text: string): void => show('error', text),
  /** Removes all notices; the product does so itself when somebody else is at the page. */
  clear: (): void => notices.set(() => ({ shown: [], recent: [] })),
}

onPersonChange(notify.clear)
