import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

/** Says while there is no line (P28). The region is always there, so that a screen reader hears what comes into it. */
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
