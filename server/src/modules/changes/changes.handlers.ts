import type { changes } from '@dmp/contract'
import type { ChangePage } from '@dmp/contract/changes'
import type { Context, Viewer } from '../../core/context.ts'
import { tooManyOfAll, tooManyRequests } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { News } from '../../db/bus.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isAboutViewer } from '../../identity/rightUnderWay.ts'
import { getDatastore } from '../scan/scan.repository.ts'
import { readChanges } from './changes.repository.ts'

/** Answers that may be held back at the same time: of one session or API token, and of an organization. */
const most = { caller: 8, organization: 200 }
const retryAfterSeconds = 5

export const changesHandlers = (deps: Dependencies): Handlers<typeof changes> => ({
  list: async ({ organizationId: named, wait, ...asked }, context) => {
    const { organizationId } = await getDatastore(deps.db, context.viewer, named)
    const read = (since = asked.since): Promise<ChangePage> => readChanges(deps.db, organizationId, { ...asked, since })
    if (wait === 0) return read()
    const { ended, stop } = beginWait(deps, context.viewer, organizationId, wait * 1000)
    // Whoever waits again because the line broke finds the place free.
    context.left.addEventListener('abort', stop)
    try {
      const page = await read()
      if (page.changes.length > 0 || page.hasMore) return page
      await ended
      await judgeAnew(deps, context, organizationId)
      return await read(page.next)
    } finally {
      stop()
    }
  },
})

/** Before anything is read, so that nothing comes between. */
function beginWait({ newsWaits }: Dependencies, viewer: Viewer, organizationId: string, ms: number) {
  const [caller, organization] = [
    { key: `changes of ${viewer.sessionId}`, most: most.caller },
    { key: `changes of organization ${organizationId}`, most: most.organization },
  ]
  if (newsWaits.isFull(caller))
    throw tooManyRequests(retryAfterSeconds, `Only ${most.caller} requests of one caller may wait for changes.`)
  if (newsWaits.isFull(organization))
    throw tooManyOfAll(retryAfterSeconds, 'Too many requests of this organization wait for changes.')
  return newsWaits.begin((news) => isAbout(news, viewer, organizationId), ms, [caller, organization])
}

/** News of changes, and whatever may end the caller's right to them. */
const isAbout = (news: News, viewer: Viewer, organizationId: string): boolean =>
  news.kind === 'changesRecorded' ? news.organizationId === organizationId : isAboutViewer(news, viewer)

async function judgeAnew({ db }: Dependencies, context: Context, organizationId: string): Promise<void> {
  await context.readmit()
  await getDatastore(db, context.viewer, organizationId)
}
