import { useEffect, useState } from 'react'
import { useParams } from '@dmp/kit/router'

/**
 * Reads codes from the address once and removes them from it, so that no history, bookmark, screenshot or report holds
 * them. After a reload the link has to be opened again.
 */
export function useSecretParams(cleanPath: string): Readonly<Partial<Record<string, string>>> {
  const params = useParams()
  const [secrets] = useState(params)
  // The browser's history is outside React. The router is not told, because it would render the screen anew.
  useEffect(() => window.history.replaceState(window.history.state, '', cleanPath), [cleanPath])
  return secrets
}
