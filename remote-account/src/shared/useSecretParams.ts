import { useEffect, useState } from 'react'
import { useParams } from '@dmp/kit/router'

/**
 * Codes that came in the address, read once: the address is cleaned at once, so that they stand in no history, bookmark,
 * screenshot or report. A reload asks for the link again.
 */
export function useSecretParams(cleanPath: string): Readonly<Partial<Record<string, string>>> {
  const params = useParams()
  const [secrets] = useState(params)
  // The browser's history is outside React; the router is not told, since it would draw the screen anew.
  useEffect(() => window.history.replaceState(window.history.state, '', cleanPath), [cleanPath])
  return secrets
}
