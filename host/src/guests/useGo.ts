import { getRoute } from '@dmp/contract/remote'
import type { RemoteOnPage } from '@dmp/contract/release'
import { useNavigate } from '@dmp/kit/router'
import { declarations } from '../remotes/snapshot.ts'

/** Where every trail begins; nothing is handed on to it. */
const home = '/dashboard'
/** Where a refused call leads, whoever made it (8.01). */
const refusedPage = /^\/not-authorized\/[\w%-]+\/[\w%-]+$/

/** Goes where a guest goes; returns false, and stays, where that is not the guest's own. */
export function useGo({ declaration: { name } }: RemoteOnPage): (to: string, isReplacing: boolean) => boolean {
  const navigate = useNavigate()
  return (to, isReplacing) => {
    const url = new URL(to, location.origin)
    if (url.origin === location.origin && url.pathname === home) {
      void navigate(home)
      return true
    }
    const isOwn = getRoute(declarations(), url.pathname)?.owner.name === name
    if (url.origin !== location.origin || !(isOwn || refusedPage.test(url.pathname))) return false
    void navigate(url.pathname + url.search + url.hash, { replace: isReplacing })
    return true
  }
}
