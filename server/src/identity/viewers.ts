import type { ActionOf, User } from '@dmp/contract'
import { toPolicy } from '@dmp/contract/policy'
import { sharedDate, sharedNow } from '../core/clock.ts'
import { fullName } from './user.ts'
import { BoundedMap } from '../core/BoundedMap.ts'
import type { Bus } from '../db/bus.ts'
import type { Db } from '../db/client.ts'
import type { Viewer } from '../core/context.ts'
import { verifyAccessToken, type AccessClaims } from './accessToken.ts'
import type { Keys } from './keys.ts'

/** Tokens and viewers that are remembered. */
const maxEntries = 10_000
/** However quiet it is, a viewer is read again after this time. */
const maxAgeMs = 60_000

export interface Viewers {
  /** The holder of the token; undefined when the token is not, or no longer, valid. */
  of(token: string): Promise<Viewer | undefined>
  /** The owner of a living session, who can only read scans: for the cookie that a token gave to the image viewer. */
  ofSession(sessionId: string, userId: string): Promise<Viewer | undefined>
  /** The viewer's own profile, remembered as long as the viewer is. */
  getProfile(viewer: Viewer, read: () => Promise<User>): Promise<User>
  /** When the token ends by itself, in milliseconds since the epoch. */
  expiryOf(token: string): number | undefined
}

interface Remembered {
  readonly viewer: Viewer
  readonly since: number
  profile?: User
}

/**
 * Remembers verified tokens and their viewers in bounded memory; forgets them when a session ends or a user changes.
 */
export function createViewers(db: Db, keys: Keys, bus: Bus): Viewers {
  const claims = new BoundedMap<string, AccessClaims>(maxEntries)
  const viewers = new BoundedMap<string, Remembered>(maxEntries)
  /** Counts the news, so that an answer that was on its way when they came is not remembered. */
  let era = 0

  bus.subscribe((news) => {
    if (news.kind === 'missed') viewers.clear()
    else if (news.kind === 'sessionsEnded') news.sessionIds.forEach((sessionId) => viewers.delete(sessionId))
    else if (news.kind === 'viewersChanged') {
      for (const [sessionId, { viewer }] of viewers) {
        if (news.userIds?.includes(viewer.userId) || news.organizationIds?.includes(viewer.organizationId))
          viewers.delete(sessionId)
      }
    }
    // Other news concern no viewer.
    else return
    era += 1
  })

  const findClaims = async (token: string): Promise<AccessClaims | undefined> => {
    const known = claims.get(token)
    if (known) return known
    const verified = await verifyAccessToken(keys, token)
    if (verified) claims.set(token, verified)
    return verified
  }

  const findCachedViewer = async ({
    sessionId,
    userId,
  }: Pick<AccessClaims, 'sessionId' | 'userId'>): Promise<Viewer | undefined> => {
    const known = viewers.get(sessionId)
    if (known?.viewer.userId === userId && bus.hears && performance.now() - known.since < maxAgeMs) return known.viewer
    const startEra = era
    const viewer = await findViewer(db, sessionId, userId)
    if (viewer && era === startEra) viewers.set(sessionId, { viewer, since: performance.now() })
    return viewer
  }

  return {
    of: async (token) => {
      const verifiedClaims = await findClaims(token)
      if (!verifiedClaims || verifiedClaims.expires <= sharedNow()) {
        claims.delete(token)
        return undefined
      }
      const viewer = await findCachedViewer(verifiedClaims)
      return viewer && verifiedClaims.scope === 'scan-read' ? readingScansOnly(viewer) : viewer
    },
    ofSession: async (sessionId, userId) => {
      const viewer = await findCachedViewer({ sessionId, userId })
      return viewer && readingScansOnly(viewer)
    },
    getProfile: async ({ sessionId, userId }, read) => {
      const known = viewers.get(sessionId)
      if (known?.profile?.id === userId && bus.hears) return known.profile
      const startEra = era
      const profile = await read()
      if (known && era === startEra) known.profile = profile
      return profile
    },
    expiryOf: (token) => claims.get(token)?.expires,
  }
}

/** A session counts while it is not ended and while both its user and their organization are activated. */
async function findViewer(db: Db, sessionId: string, userId: string): Promise<Viewer | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select([
      'users.id',
      'users.email',
      'users.civility',
      'users.first_name',
      'users.last_name',
      'users.organization_id',
      'users.role',
    ])
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .where('sessions.ended_date', 'is', null)
    .where('sessions.expires_date', '>', sharedDate())
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
  if (!row) return undefined
  return {
    userId: row.id,
    email: row.email,
    fullName: fullName(row),
    organizationId: row.organization_id,
    role: row.role,
    policy: toPolicy(row.role),
    isInternal: row.role === 'super_admin' || row.role === 'sys_admin',
    sessionId,
  }
}

/** Reading whole objects is downloading (P01); nothing that changes anything is open to such a viewer in any case. */
const reading: ReadonlySet<string> = new Set<ActionOf<'Scan'>>(['List', 'Get', 'Download'])

function readingScansOnly(viewer: Viewer): Viewer {
  const may = viewer.policy.filter((entry) => entry.module === 'Scan')
  return {
    ...viewer,
    isLimited: true,
    policy: may.map((entry) => ({ ...entry, actions: entry.actions.filter((action) => reading.has(action)) })),
  }
}
