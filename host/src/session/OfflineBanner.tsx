import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Shown while the browser is offline (P28). The region is always present, so that screen readers announce its text. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={isOnline ? 'dmp-hidden' : 'dmp-offline'}>
      {isOnline
        ? ''
        : 'You are offline. This page may be out of date, and changes cannot be saved until the connection is back.'}
    </div>
  )
}
