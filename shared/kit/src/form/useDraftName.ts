import { useSession } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'

/** The name of a form's draft; undefined for a form without one. */
export function useDraftName(draft: string | false | undefined, submitLabel: string): string | undefined {
  const { pathname } = useLocation()
  const isSignedIn = useSession(({ user }) => user !== null)
  if (draft === false) return undefined
  return draft ?? (isSignedIn ? `${pathname} ${submitLabel}` : undefined)
}
