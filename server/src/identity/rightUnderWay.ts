import { sql } from 'kysely'
import type { Viewer } from '../core/context.ts'
import type { News } from '../db/bus.ts'
import type { Db } from '../db/client.ts'
import { selectApiTokens } from './apiTokenStatus.ts'
import { ownSignOut } from './sessions.ts'

/** What a request stands on that may go on for hours: an upload, a download, images that are streamed. */
export interface RightUnderWay {
  /** Whether the news may have ended it. */
  isAbout(news: News): boolean
  /** Asks the database, never a memory. */
  goesOn(): Promise<boolean>
}

/** News that may end what a person or a machine may do. */
export function isAboutViewer(news: News, viewer: Viewer, organizationId = viewer.organizationId): boolean {
  const { userId, ownerId = userId, sessionId } = viewer
  if (news.kind === 'sessionsEnded') return news.sessionIds.includes(sessionId)
  if (news.kind === 'apiTokensEnded') return news.tokenIds.includes(userId)
  if (news.kind !== 'viewersChanged') return false
  const organizations = [viewer.organizationId, organizationId]
  return !!news.userIds?.includes(ownerId) || organizations.some((id) => !!news.organizationIds?.includes(id))
}

/**
 * Of a row of `sessions`: what was begun in it may go on. Whoever signs out, or is signed out after a while without
 * activity, has not taken back what is being sent; a session that somebody else ended, or another password, has.
 */
export const isNotTakenBack = sql<boolean>`(sessions.ended_date is null or sessions.end_reason = ${ownSignOut})`

/** What a request of the viewer stands on that works in the organization. */
export const rightOfViewer = (db: Db, viewer: Viewer, organizationId: string): RightUnderWay => ({
  isAbout: (news) => isAboutViewer(news, viewer, organizationId),
  goesOn: async () => {
    const found = await (viewer.ownerId === undefined ? findPerson(db, viewer) : findMachine(db, viewer.userId))
    return found !== undefined
  },
})

const findPerson = (db: Db, { sessionId, userId }: Viewer) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select('sessions.id')
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .where(isNotTakenBack)
    .executeTakeFirst()

const findMachine = async (db: Db, id: string) => {
  const row = await selectApiTokens(db).where('api_tokens.id', '=', id).executeTakeFirst()
  // One that expires is renewed by a person; what it began in time may end.
  return row?.status === 'Active' || row?.status === 'Expired' ? row : undefined
}
