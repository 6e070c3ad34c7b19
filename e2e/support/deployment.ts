import { readFileSync } from 'node:fs'
import type { PageSnapshot, RemoteOnPage } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import type { RoleName } from '@dmp/contract/user'
import type { Who } from './accounts.ts'

/** One part of what the pages are made of. */
export interface LivePart {
  readonly name: string
  readonly releaseId: string
  /** Null for the host and the viewer, unless a super administrator could be asked. */
  readonly version: string | null
  /** Null where no super administrator could be asked, and for a release that is not live. */
  readonly commit: string | null
  /** By E2E_COMPOSITION. */
  readonly isOverridden: boolean
}

/** What became of signing in, once, before the run. */
export type AccountState =
  | {
      readonly isReady: true
      readonly email: string
      readonly role: RoleName
      readonly organizationId: string
      readonly organization: string
    }
  | {
      readonly isReady: false
      readonly email: string | null
      /** Somebody named it for this run, so that its refusal is a failure and no choice. */
      readonly isNamed: boolean
      /** Completes "because …". */
      readonly because: string
    }

export interface ScanChoice {
  readonly studyUID: string
  readonly seriesUID: string
  readonly imageSetID: string
  readonly noOfImages: number
}

/** Everything that the journeys know about the deployment under test; asked once, before the first of them. */
export interface Deployment {
  readonly address: string
  readonly settings: RuntimeSettings
  /** With the releases of E2E_COMPOSITION in place of the live ones. */
  readonly snapshot: PageSnapshot
  readonly parts: readonly LivePart[]
  readonly accounts: Readonly<Record<Who, AccountState>>
  readonly hasMailbox: boolean
  /** Whether the sign-in page has its markup before its code comes. */
  readonly hasDrawnPages: boolean
  readonly mayWrite: boolean
  /** Rows of the lists: those of the super administrator, and the scans that each of the others sees. */
  readonly rows: Readonly<Record<'complaints' | 'organizations' | 'registrations' | 'users' | 'audit', number>>
  readonly scans: Readonly<Partial<Record<Who, number>>>
  /** A scan of staff's with a picture, and one with more than five slices; null where there is none. */
  readonly viewable: ScanChoice | null
  readonly stack: ScanChoice | null
  /** Whether View leads to the quick viewer, as far as a scan was there to try it with. */
  readonly opensQuickViewer: boolean
  /** Organizations, besides the provider's, in which the super administrator sees scans. */
  readonly organizationsWithScans: readonly string[]
  /** Whether both administrators' organizations have a datastore, so that scans can be transferred. */
  readonly canTransfer: boolean
  /** The organization of the seeded world, in which journeys may change licenses. */
  readonly seededOrganization: string | null
}

const file = process.env.E2E_DEPLOYMENT
let known: Deployment | undefined

/** What `npm run e2e` learned about the deployment. */
export function getDeployment(): Deployment {
  if (!file)
    throw new Error(
      'Nothing is known about the deployment: start the journeys with `npm run e2e`, which asks it first, or with BASE_URL=https://… npm run e2e.',
    )
  known ??= JSON.parse(readFileSync(file, 'utf8')) as Deployment
  return known
}

/** The remotes of the deployment under test: journeys that hold for every remote are made from this list. */
export const deployedRemotes = (): readonly RemoteOnPage[] => getDeployment().snapshot.remotes

/** The account of the journeys, which is ready: a journey states that it needs it. */
export function getAccountState(who: Who): AccountState & { isReady: true } {
  const state = getDeployment().accounts[who]
  if (!state.isReady) throw new Error(`The account ${who} is not ready, because ${state.because}.`)
  return state
}

/**
 * The path on which a signed-in user first meets a remote: its first navigation entry, else its first route for such
 * users.
 */
export function getFirstPath({ declaration: { navigation, routes } }: RemoteOnPage): string {
  return (
    navigation[0]?.routerLink ??
    routes.find(({ guard }) => guard === 'policy' || guard === 'session')?.prefix ??
    routes[0]?.prefix ??
    '/'
  )
}
