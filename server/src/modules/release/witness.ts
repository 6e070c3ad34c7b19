import type { Guard } from '@dmp/contract/remote'
import { provider } from '@dmp/contract/examples'
import { readRelease, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { MetricsQuery } from './metrics.ts'

/** A person whose report may count. */
export interface Witness {
  readonly sessionId: string
  readonly organizationId: string
  /** The session is alive. Otherwise it is over, and this is the browser of somebody who may sign in again. */
  readonly isSignedIn: boolean
}

/** The person of a session; undefined for people who may not sign in any more, and for sessions long gone. */
export async function findWitness(db: Db, sessionId: string): Promise<Witness | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['sessions.id as sessionId', 'users.organization_id as organizationId'])
    .select(sql<boolean>`sessions.ended_date is null and sessions.expires_date > now()`.as('isSignedIn'))
    .where('sessions.id', '=', sessionId)
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
}

const beforeSignIn: readonly Guard[] = ['guest', 'public']

/** Whether pages show the release before anybody has signed in: the host, and remotes such as the sign-in. */
export async function isShownBeforeSignIn(store: ReleaseStore, { name, releaseId }: MetricsQuery): Promise<boolean> {
  if (name === 'host') return true
  const { declaration } = await readRelease(store, name, releaseId)
  return declaration?.routes.some(({ guard }) => beforeSignIn.includes(guard)) ?? false
}

/** Of each organization the people whose pages reported a failure of the release that speaks against it. */
export async function listAffected(
  db: Db,
  { name, releaseId }: MetricsQuery,
): Promise<readonly { id: string; name: string; users: number }[]> {
  return db
    .selectFrom('affected_users')
    .innerJoin('organizations', 'organizations.id', 'affected_users.organization_id')
    .select(['organizations.id', 'organizations.name', sql<number>`count(*)::int`.as('users')])
    .where('part', '=', name)
    .where('release_id', '=', releaseId)
    .groupBy(['organizations.id', 'organizations.name'])
    .orderBy('organizations.name')
    .execute()
}

/**
 * Customers whose people used the platform in a browser within the last 30 days. While there is only one, nobody else
 * could confirm what its people report; the provider's staff count as people, not as one more customer.
 */
export async function countActiveCustomers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct users.organization_id)::int as count
    from sessions
    join users on users.id = sessions.user_id
    join organizations on organizations.id = users.organization_id
    where sessions.binding_hash is not null and sessions.last_seen_date > now() - interval '30 days'
      and organizations.status = 'Activated' and organizations.id <> ${provider.id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Organizations whose people were given the release: those that a canary has reached so far. */
export async function countReachedOrganizations(db: Db, { name, releaseId }: MetricsQuery): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct users.organization_id)::int as count
    from served_pages
    join sessions on sessions.id = served_pages.session_id
    join users on users.id = sessions.user_id
    where part = ${name} and release_id = ${releaseId}`.execute(db)
  return rows[0]?.count ?? 0
}
