import { useEffect, useState } from 'react'
import { reloadedSecrets } from '../shared/reloadedSecrets.ts'

/**
 * Reads a code from behind the hash of the address, which browsers send to nobody, and takes it out of the address at
 * once. A reload finds it in this tab, until the screen is left.
 */
export function useHashSecret(cleanPath: string): string | undefined {
  const [secret] = useState(() => window.location.hash.slice(1) || reloadedSecrets.read(cleanPath)?.code)
  // The browser's history and storage are outside React.
  useEffect(() => {
    window.history.replaceState(window.history.state, '', cleanPath)
    if (secret) reloadedSecrets.keep(cleanPath, { code: secret })
    return () => reloadedSecrets.forget(cleanPath)
  }, [cleanPath, secret])
  return secret
}
