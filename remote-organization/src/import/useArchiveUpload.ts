import { useEffect, useRef, useState } from 'react'
import { sendArchive } from './sendArchive.ts'

export interface ArchiveUpload {
  readonly importId: string
  readonly sent: number
  readonly isWaiting: boolean
}

/** Sends an archive while its page is open. Whoever leaves goes on later, with the same file. */
export function useArchiveUpload(onDone: () => void) {
  const [upload, setUpload] = useState<ArchiveUpload>()
  const [error, setError] = useState<unknown>()
  const running = useRef<AbortController>(undefined)

  // The request under way is outside React.
  useEffect(() => () => running.current?.abort(), [])

  async function send(importId: string, file: Blob) {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setError(undefined)
    setUpload({ importId, sent: 0, isWaiting: false })
    try {
      const onProgress = (sent: number, isWaiting: boolean) => {
        if (!own.signal.aborted) setUpload({ importId, sent, isWaiting })
      }
      await sendArchive(importId, file, { signal: own.signal, onProgress })
    } catch (cause) {
      if (own.signal.aborted) return
      setError(cause)
    }
    setUpload(undefined)
    onDone()
  }

  const stop = () => {
    running.current?.abort()
    setUpload(undefined)
  }
  return { upload, error, send: (importId: string, file: Blob) => void send(importId, file), stop }
}
