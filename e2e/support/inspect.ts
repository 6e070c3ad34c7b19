import type { PageSnapshot } from '@dmp/contract/release'
import type { RuntimeSettings } from '@dmp/contract/settings'
import type { User } from '@dmp/contract/user'
import { account, everybody, findNamedAccount, profiles, variableOf, type Who } from './accounts.ts'
import { fetchPage, openSession, parseBlock, type ApiSession, type Call } from './api.ts'
import type { AccountState, Deployment, LivePart, ScanChoice } from './deployment.ts'
import { seededName } from './seededWorld.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Sessions = Partial<Record<Who, ApiSession>>

/** What is asked for: the address, and the cookie of E2E_COMPOSITION. */
export interface InspectOptions {
  readonly address: string
  readonly cookie?: string
  readonly env?: Environment
}

/** How many of the newest scans are tried for a picture. */
const triedScans = 25

/**
 * Asks a deployment, once, what it is: its settings and composition, which of the accounts sign in, and what there is
 * to look at. It changes nothing, and ends the sessions that it opened.
 */
export async function inspectDeployment({
  address,
  cookie = '',
  env = process.env,
}: InspectOptions): Promise<Deployment> {
  const page = await fetchPage(address, cookie)
  const settings = parseBlock<RuntimeSettings>(page, 'dmp-settings')
  const snapshot = parseBlock<PageSnapshot>(page, 'dmp-snapshot')
  if (settings === undefined || snapshot === undefined)
    throw new Error(`The page at ${address}/login is not one of this product. Correct BASE_URL.`)
  const sessions: Sessions = {}
  try {
    const accounts = await openAccounts(address, settings, sessions, env)
    const root = sessions.super?.call
    const [parts, scans, choices, hasMailbox] = await Promise.all([
      readParts(snapshot, root),
      countScans(sessions),
      findScans(address, sessions.staff),
      readMailbox(address),
    ])
    const organizations = await listOrganizations(root)
    return {
      address,
      settings,
      snapshot,
      parts,
      accounts,
      hasMailbox,
      hasDrawnPages: page.includes('<template id="dmp-drawn">'),
      mayWrite: settings.isDemo || ['1', 'yes', 'true'].includes(env.E2E_WRITES ?? ''),
      rows: await countRows(root),
      scans,
      ...choices,
      organizationsWithScans: root ? await listOrganizationsWithScans(root) : [],
      canTransfer: await canTransfer(accounts, sessions),
      seededOrganization: findSeededOrganization(organizations, settings),
    }
  } finally {
    await Promise.all(Object.values(sessions).map((session) => session.close()))
  }
}

/** One after the other: many sign-ins at once would look like an attack. */
async function openAccounts(
  address: string,
  settings: RuntimeSettings,
  sessions: Sessions,
  env: Environment,
): Promise<Deployment['accounts']> {
  const states: Partial<Record<Who, AccountState>> = {}
  for (const who of everybody) {
    const isNamed = findNamedAccount(who, env) !== undefined
    states[who] =
      isNamed || settings.isDemo
        ? await openAccount(address, settings, sessions, who, { ...account(who, env), isNamed })
        : {
            isReady: false,
            email: null,
            isNamed,
            because: `${variableOf(who)}=email:password does not name an account`,
          }
  }
  const { admin, southAdmin } = states
  if (admin?.isReady && southAdmin?.isReady && admin.organizationId === southAdmin.organizationId)
    states.southAdmin = {
      isReady: false,
      email: southAdmin.email,
      isNamed: true,
      because: `E2E_SOUTHADMIN is of the same organization as E2E_ADMIN (${admin.organization}), and not of another`,
    }
  return states as Deployment['accounts']
}

async function openAccount(
  address: string,
  { clientId }: RuntimeSettings,
  sessions: Sessions,
  who: Who,
  { isNamed, ...credentials }: { email: string; password: string; isNamed: boolean },
): Promise<AccountState> {
  const { email } = credentials
  const refused = (because: string): AccountState => ({ isReady: false, email, isNamed, because })
  try {
    const session = await openSession(address, clientId, credentials)
    if (typeof session === 'string') {
      // This account is about the second step; the journey itself goes through it.
      if (who === 'mfa' && /mfa/i.test(session))
        return { isReady: true, email, role: 'staff', organizationId: '', organization: '' }
      return refused(
        /mfa/i.test(session)
          ? `${variableOf(who)} (${email}) signs in with a second step, which only E2E_MFA may`
          : `${variableOf(who)} (${email}) has to choose a password of its own first: sign in once`,
      )
    }
    const { role, organizationId, organization } = await session.call<User>('GET', 'account/profile')
    const expectedRole = 'role' in profiles[who] ? profiles[who].role : undefined
    if (who === 'mfa' || (expectedRole !== undefined && expectedRole !== role.role)) {
      await session.close()
      return refused(
        who === 'mfa'
          ? `${variableOf(who)} (${email}) signs in without a second step`
          : `${variableOf(who)} (${email}) has the role ${role.role}, and the journeys need ${expectedRole}`,
      )
    }
    sessions[who] = session
    return { isReady: true, email, role: role.role, organizationId, organization: organization.name }
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error)
    return refused(`${variableOf(who)} (${email}) was refused: “${sentence}”`)
  }
}

interface Status {
  readonly parts: readonly {
    readonly name: string
    readonly live: { readonly releaseId: string; readonly version: string; readonly commit: string }
    readonly canary: { readonly releaseId: string; readonly version: string; readonly commit: string } | null
  }[]
}

/** The release of each part; versions and commits as far as a super administrator may ask for them. */
export async function readParts(snapshot: PageSnapshot, root?: Call): Promise<LivePart[]> {
  const status = await root?.<Status>('GET', 'Release/status').catch(() => undefined)
  const releases = (status?.parts ?? []).flatMap(({ name, live, canary }) =>
    [live, canary].flatMap((release) => (release ? [{ name, ...release }] : [])),
  )
  const toPart = (name: string, releaseId: string, version: string | null): LivePart => {
    const release = releases.find((item) => item.name === name && item.releaseId === releaseId)
    const isOverridden = snapshot.overrides?.some(({ part }) => part === name) ?? false
    return {
      name,
      releaseId,
      version: (version ?? release?.version) || null,
      commit: release?.commit ?? null,
      isOverridden,
    }
  }
  const viewer = status?.parts.find(({ name }) => name === 'viewer')
  return [
    toPart('host', snapshot.host, null),
    ...snapshot.remotes.map(({ releaseId, declaration: { name, version } }) => toPart(name, releaseId, version)),
    ...(viewer ? [toPart('viewer', viewer.live.releaseId, null)] : []),
  ]
}

/** A list that cannot be read counts as empty: its journeys say so. */
const countOf = async (call: Call | undefined, path: string): Promise<number> =>
  (await call?.<readonly unknown[]>('GET', path).catch(() => []))?.length ?? 0

async function countRows(root: Call | undefined): Promise<Deployment['rows']> {
  const first = 'page=1&pageSize=10'
  const [complaints, organizations, registrations, users, audit] = await Promise.all(
    ['Complaint', 'Organization', 'Registration', 'businessUser', 'Audit'].map((area) =>
      countOf(root, `${area}/list?${first}`),
    ),
  )
  return {
    complaints: complaints ?? 0,
    organizations: organizations ?? 0,
    registrations: registrations ?? 0,
    users: users ?? 0,
    audit: audit ?? 0,
  }
}

async function countScans(sessions: Sessions): Promise<Deployment['scans']> {
  const seers = (['staff', 'admin', 'southAdmin'] as const).filter((who) => sessions[who])
  const counts = await Promise.all(seers.map((who) => countOf(sessions[who]?.call, 'Scan/list?page=1&pageSize=10')))
  return Object.fromEntries(seers.map((who, at) => [who, counts[at] ?? 0]))
}

type Row = ScanChoice & { readonly modality: string }

/** A scan that the viewer can show, and one to go through; tried by asking for their small pictures. */
async function findScans(
  address: string,
  session: ApiSession | undefined,
): Promise<Pick<Deployment, 'viewable' | 'stack' | 'opensQuickViewer'>> {
  const nothing = { viewable: null, stack: null, opensQuickViewer: false }
  if (session === undefined) return nothing
  const headers = { authorization: `Bearer ${session.accessToken}` }
  const rows = (await session.call<Row[]>('GET', 'Scan/list?page=1&pageSize=100').catch(() => [])).filter(
    ({ imageSetID, noOfImages }) => imageSetID && noOfImages,
  )
  const hasPicture = async ({ studyUID, seriesUID }: Row): Promise<boolean> => {
    const url = `${address}/dicom-web/studies/${studyUID}/series/${seriesUID}/thumbnail`
    return fetch(url, { headers }).then(
      (response) => response.ok && (response.headers.get('content-type') ?? '').startsWith('image/'),
      () => false,
    )
  }
  const find = async (candidates: readonly Row[]): Promise<ScanChoice | null> => {
    for (const row of candidates.slice(0, triedScans)) {
      const { studyUID, seriesUID, imageSetID, noOfImages } = row
      if (await hasPicture(row)) return { studyUID, seriesUID, imageSetID, noOfImages }
    }
    return null
  }
  const stack = await find(
    rows
      .filter(({ noOfImages, modality }) => noOfImages > 5 && ['CT', 'MR', 'PT'].includes(modality))
      .sort((a, b) => a.noOfImages - b.noOfImages),
  )
  const viewable = stack ?? (await find(rows))
  if (viewable === null) return nothing
  const launch = await fetch(`${address}/launch`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ imageSetID: viewable.imageSetID }),
  })
  const { data } = (await launch.json().catch(() => ({}))) as { data?: { url?: string } }
  return { viewable, stack, opensQuickViewer: data?.url?.startsWith('/viewer/') ?? false }
}

async function readMailbox(address: string): Promise<boolean> {
  const response = await fetch(`${address}/dev/mail.json`).catch(() => undefined)
  return Boolean(response?.ok && (response.headers.get('content-type') ?? '').includes('json'))
}

interface Organization {
  readonly name: string
  readonly status: string
}

const listOrganizations = async (root: Call | undefined): Promise<Organization[]> =>
  (await root?.<Organization[]>('GET', 'Organization/list').catch(() => [])) ?? []

/** That of the seeded world; the demo has one of its own that is there to be tried on. */
function findSeededOrganization(organizations: readonly Organization[], { isDemo }: RuntimeSettings): string | null {
  const seeded = organizations.find(({ name, status }) => name === seededName && status === 'Activated')
  const trial = isDemo ? organizations.find(({ name }) => name === 'West-Clinic') : undefined
  return (seeded ?? trial)?.name ?? null
}

async function listOrganizationsWithScans(root: Call): Promise<string[]> {
  const choices = await root<{ id: string; name: string; hasDatastore?: boolean }[]>(
    'GET',
    'Organization/listActivated',
  ).catch(() => [])
  const names: string[] = []
  for (const { id, name } of choices.filter(({ hasDatastore }) => hasDatastore).slice(0, 20)) {
    const storage = await root<{ scans: number }>('GET', `Scan/getStorage?organizationId=${id}`).catch(() => undefined)
    if (storage?.scans) names.push(name)
  }
  return names
}

async function canTransfer({ admin, southAdmin }: Deployment['accounts'], sessions: Sessions): Promise<boolean> {
  if (!admin.isReady || !southAdmin.isReady) return false
  const ends = await Promise.all(
    (
      [
        [admin, sessions.admin],
        [southAdmin, sessions.southAdmin],
      ] as const
    ).map(async ([{ organizationId }, session]) =>
      session
        ?.call<{ organizationExists: boolean }>('GET', `Organization/datastoreExists?id=${organizationId}`)
        .catch(() => undefined),
    ),
  )
  return ends.every((end) => end?.organizationExists)
}
