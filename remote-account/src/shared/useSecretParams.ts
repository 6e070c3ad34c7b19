import { useEffect, useState } from 'react'
import { useParams } from '@dmp/kit/router'
import { reloadedSecrets, type Secrets } from './reloadedSecrets.ts'

/**
 * Reads codes from the address (2.04, 2.06) and removes them from it at once, so that no history, bookmark, screenshot,
 * Referer or report holds them. A reload finds them in this tab, until the screen is left or `forget` is called because
 * they are used up.
 */
export function useSecretParams(cleanPath: string): { readonly secrets: Secrets; readonly forget: () => void } {
  // The remote's own route is under `*`, which is no code.
  const { '*': _rest, ...params } = useParams()
  const [secrets] = useState<Secrets>(() =>
    Object.values(params).some(Boolean) ? params : (reloadedSecrets.read(cleanPath) ?? {}),
  )
  // The browser's history and storage are outside React. The router is not told, because it would render the screen
  // anew.
  useEffect(() => {
    window.history.replaceState(window.history.state, '', cleanPath)
    reloadedSecrets.keep(cleanPath, secrets)
    return () => reloadedSecrets.forget(cleanPath)
  }, [cleanPath, secrets])
  return { secrets, forget: () => reloadedSecrets.forget(cleanPath) }
}
