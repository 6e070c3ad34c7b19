import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Markup that stands before the code came over the line. */
const isMarkupOnline = () => true

/** Tells the page how much of its lower edge is taken, so that nothing of it ends there. */
function takeRoom(banner: HTMLElement | null) {
  const { style } = document.documentElement
  const tell = () => style.setProperty('--dmp-foot', `${(banner?.offsetHeight ?? 0) + 16}px`)
  tell()
  addEventListener('resize', tell)
  return () => {
    removeEventListener('resize', tell)
    style.removeProperty('--dmp-foot')
  }
}

/** Shown while the browser is offline (P28). The region is always present, so that screen readers announce its text. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine, isMarkupOnline)
  return (
    <div ref={isOnline ? undefined : takeRoom} role="status" className={isOnline ? 'dmp-hidden' : 'dmp-offline'}>
      {isOnline
        ? ''
        : 'You are offline. This page may be out of date, and changes cannot be saved until the connection is back.'}
    </div>
  )
}
