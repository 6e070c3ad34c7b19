import { useSession } from '@dmp/kit'
import { useLocation } from '@dmp/kit/router'

/** Under which name a form keeps its draft; undefined where it keeps none. */
export function useDraftName(draft: string | false | undefined, submitLabel: string): string | undefined {
  const { pathname } = useLocation()
  const isSignedIn = useSession(({ user }) => user !== null)
  if (draft === false) return undefined
  return draft ?? (isSignedIn ? `${pathname} ${submitLabel}` : undefined)
}
