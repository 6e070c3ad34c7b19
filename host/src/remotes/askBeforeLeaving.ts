import { reportError, settings } from '@dmp/kit'
import { ground } from './ground.ts'
import { snapshot } from './snapshot.ts'

/**
 * Nobody is sent to a site that the settings do not name without a question. In the browser's own dialog, because a
 * window has to be opened, or not, before the part goes on.
 */
export function askBeforeLeaving(): void {
  ground()?.guard((to, part) => {
    if (listKnownOrigins().has(to.origin)) return true
    // Its team did not declare it, and sees it before it is live: a report fails the journeys of the trial.
    if (part !== '') reportError(new Error('It asked to open another site.'), part)
    return confirm(`Open ${to.host}? It is another site, and sees what its address says.`)
  })
}

function listKnownOrigins(): ReadonlySet<string> {
  const { company, apps, apiRoot } = settings()
  const addresses = [company.website, company.manualLink, company.termsOfUse, ...Object.values(apps), apiRoot]
  return new Set(
    [...addresses, snapshot().releases ?? '']
      .filter((address) => /^https?:\/\//.test(address))
      .map((address) => new URL(address).origin),
  )
}
