import type { TestDetails } from 'playwright/test'
import { everybody, type Who } from './accounts.ts'
import type { Deployment } from './deployment.ts'

const lists = ['complaints', 'organizations', 'registrations', 'users', 'audit'] as const

/** What a journey may need of the deployment. */
export type Need =
  | Who
  | (typeof lists)[number]
  /** A demo: its accounts, its data and its looks. */
  | 'demo'
  /** Mail that journeys can read. */
  | 'mailbox'
  /** Host and remote-account of one build, whose public pages stand before their code. */
  | 'drawn pages'
  /** Scans that staff, or the administrator, sees in a list. */
  | 'scans'
  | "admin's scans"
  | 'two scans'
  | 'viewable scan'
  | 'stack'
  | 'organization with scans'
  /** Two administrators whose organizations have a datastore. */
  | 'transfer'
  | 'seeded organization'
  /** Deleted scans stay for some days. */
  | 'bin'
  | 'quick viewer'
  /** A DICOM node that the machine of the journeys reaches at its own address. */
  | 'own DICOM node'
  | 'idle watch'
  /** A server that may send webhooks to the machine of the journeys. */
  | 'own receiver'
  | `remote-${string}`

const empty = 'is empty. Lay a seeded world: npm run e2e -- seed'

/** The needs that are no account, no list and no remote: what is missing, or undefined. */
const checks: Record<string, (deployment: Deployment) => string | undefined> = {
  demo: ({ settings }) => (settings.isDemo ? undefined : 'this journey is about the demo, and this is no demo'),
  mailbox: ({ hasMailbox }) =>
    hasMailbox ? undefined : 'the deployment has no mailbox that journeys can read (only demos have /dev/mail)',
  'drawn pages': ({ hasDrawnPages }) =>
    hasDrawnPages ? undefined : 'nobody drew the public pages with the host that is live: npm run build does',
  scans: ({ scans }) => (scans.staff ? undefined : `the list of scans of E2E_STAFF ${empty}`),
  "admin's scans": ({ scans }) => (scans.admin ? undefined : `the list of scans of E2E_ADMIN ${empty}`),
  'two scans': ({ scans }) =>
    (scans.staff ?? 0) > 1 ? undefined : 'E2E_STAFF sees fewer than two scans. Lay a seeded world: npm run e2e -- seed',
  'viewable scan': ({ viewable }) =>
    viewable ? undefined : 'E2E_STAFF sees no scan with a picture. Lay a seeded world: npm run e2e -- seed',
  stack: ({ stack }) =>
    stack ? undefined : 'E2E_STAFF sees no scan of more than five slices. Lay a seeded world: npm run e2e -- seed',
  'organization with scans': ({ organizationsWithScans }) =>
    organizationsWithScans.length > 0 ? undefined : 'E2E_SUPER sees no organization with scans',
  transfer: ({ canTransfer }) =>
    canTransfer ? undefined : 'the organizations of E2E_ADMIN and E2E_SOUTHADMIN do not both have a datastore',
  'seeded organization': ({ seededOrganization }) =>
    seededOrganization ? undefined : 'there is no organization to try this on. Lay one: npm run e2e -- seed',
  bin: ({ settings }) => ((settings.binDays ?? 0) > 0 ? undefined : 'deleted scans are gone at once here'),
  'quick viewer': ({ opensQuickViewer }) =>
    opensQuickViewer ? undefined : 'View does not open the quick viewer here, or there was no scan to try it with',
  'own receiver': () =>
    process.env.E2E_RECEIVER === '1'
      ? undefined
      : 'webhooks may not reach this machine: start the server with DMP_WEBHOOK_HOSTS=127.0.0.1, and set E2E_RECEIVER=1',
  'own DICOM node': () =>
    process.env.E2E_RECEIVER === '1'
      ? undefined
      : 'nothing says that this machine reaches the DICOM node: start the server here with DMP_DICOM_PORT, and set E2E_RECEIVER=1',
  'idle watch': ({ settings }) =>
    settings.idle.required ? undefined : 'this deployment does not watch for inactivity',
}

/** Completes "skipped, because …"; undefined where the deployment has it. */
export function findMissing(need: Need, deployment: Deployment): string | undefined {
  const who = everybody.find((name) => name === need)
  if (who !== undefined) {
    const state = deployment.accounts[who]
    return state.isReady ? undefined : state.because
  }
  const list = lists.find((name) => name === need)
  if (list !== undefined) return deployment.rows[list] > 0 ? undefined : `the list of ${list} of E2E_SUPER ${empty}`
  if (need.startsWith('remote-')) {
    const isLive = deployment.snapshot.remotes.some(({ declaration }) => declaration.name === need)
    return isLive ? undefined : `${need} is not live here`
  }
  const check = checks[need]
  if (check === undefined) throw new Error(`Nothing is known about the need "${need}". Add it to e2e/support/needs.ts.`)
  return check(deployment)
}

interface JourneyDetails {
  readonly needs?: readonly Need[]
  /** What it leaves in the deployment until its end, and what of that cannot be taken away. Absent: it only reads. */
  readonly writes?: string
  readonly tag?: string | readonly string[]
}

type Details = Required<Pick<TestDetails, 'tag' | 'annotation'>>

/**
 * The details of a journey: what it needs of the deployment, what it writes, its tags. `@writes` comes by itself;
 * `@smoke` only reads.
 */
export function details({ needs = [], writes, tag = [] }: JourneyDetails): Details & {
  tag: string[]
  annotation: { type: string; description: string }[]
} {
  const tags = [tag].flat()
  if (writes !== undefined && tags.includes('@smoke'))
    throw new Error('A @smoke journey only reads: the release gate and monitors run it against production.')
  return {
    tag: [...tags, ...(writes === undefined ? [] : ['@writes'])],
    annotation: [
      ...needs.map((description) => ({ type: 'needs', description: description as string })),
      ...(writes === undefined ? [] : [{ type: 'writes', description: writes }]),
    ],
  }
}

interface Annotations {
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
}

export const listNeeds = ({ annotations }: Annotations): Need[] =>
  annotations.filter(({ type }) => type === 'needs').map(({ description }) => description as Need)

export const mayWrite = ({ annotations }: Annotations): boolean => annotations.some(({ type }) => type === 'writes')

/** Why the journey cannot run against the deployment; undefined where it can. */
export function findSkipReason(info: Annotations, deployment: Deployment): string | undefined {
  for (const need of listNeeds(info)) {
    const missing = findMissing(need, deployment)
    if (missing !== undefined) return missing
  }
  if (mayWrite(info) && !deployment.mayWrite)
    return 'it writes, and this deployment is in production: allow it with E2E_WRITES=1'
  return undefined
}

/** Keeps a journey from using what it did not state, so that no deployment finds out by a time-out. */
export function assertStated(info: Annotations, need: Need): void {
  if (!listNeeds(info).includes(need))
    throw new Error(`This journey uses "${need}" without stating it. Add it to the needs in its details().`)
}
