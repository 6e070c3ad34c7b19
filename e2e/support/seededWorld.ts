import type { User } from '@dmp/contract/user'
import { account, variableOf, type Who } from './accounts.ts'
import { fetchPage, openSession, parseBlock, createApi, type ApiSession, type Call } from './api.ts'
import { aDicomFile, freshUid, toStoreRequest } from './dicomFile.ts'
import {
  deactivateOrganization,
  deleteScans,
  findOrganization,
  mailDomain,
  rejectRegistration,
  resolveComplaints,
} from './marked.ts'

/** The mark of the seeded world: name of its organization, patient id of its scans, start of its complaints. */
export const seededName = 'QA-Seed'
const firstAdministrator = `qa-seed@${mailDomain}`
const applicant = `qa-seed-waiting@${mailDomain}`
const stacks = [12, 8, 1] as const
const side = 128
const complaints = ['the list was slow', 'a report could not be opened'] as const

type Environment = Readonly<Record<string, string | undefined>>
export type Say = (line: string) => void

/** What `seed` writes, for the person who is about to do it. */
export const contents: readonly string[] = [
  `an organization ${seededName} with a datastore, made by approving a registration`,
  `${stacks.length} scans of the patient ${seededName} (${stacks.join(', ')} slices) in the organization of E2E_ADMIN`,
  `${complaints.length} complaints of E2E_ADMIN, which begin with [${seededName}]`,
  `one waiting registration of ${applicant}`,
  `mail goes to addresses below ${mailDomain} only, which nobody can have`,
]

interface Hands {
  readonly address: string
  readonly root: ApiSession
  readonly admin: ApiSession
  readonly organizationId: string
}

async function open(address: string, clientId: string, who: Who, env: Environment): Promise<ApiSession> {
  const credentials = account(who, env)
  const session = await openSession(address, clientId, credentials).catch((error: unknown) => {
    throw new Error(
      `${variableOf(who)} (${credentials.email}) was refused: “${error instanceof Error ? error.message : String(error)}”`,
    )
  })
  if (typeof session === 'string')
    throw new Error(`${variableOf(who)} (${credentials.email}) cannot sign in with the password alone.`)
  return session
}

async function withHands<T>(address: string, env: Environment, work: (hands: Hands) => Promise<T>): Promise<T> {
  const settings = parseBlock<{ clientId: string }>(await fetchPage(address), 'dmp-settings')
  if (settings === undefined)
    throw new Error(`The page at ${address}/login is not one of this product. Correct BASE_URL.`)
  const root = await open(address, settings.clientId, 'super', env)
  const admin = await open(address, settings.clientId, 'admin', env).catch(async (error: unknown) => {
    await root.close()
    throw error
  })
  try {
    const { organizationId } = await admin.call<User>('GET', 'account/profile')
    return await work({ address, root, admin, organizationId })
  } finally {
    await Promise.all([root.close(), admin.close()])
  }
}

/** Lays the seeded world into a deployment. What is there already stays, so that it can be repeated. */
export const seed = (address: string, say: Say, env: Environment = process.env): Promise<void> =>
  withHands(address, env, async (hands) => {
    await seedOrganization(hands, say)
    await seedScans(hands, say)
    await seedComplaints(hands.admin.call, say)
    await register(address, { email: applicant, organizationName: `${seededName}-Waiting` })
    say(`registration of ${applicant}: waits, unless it was decided before`)
  })

/** Takes the seeded world away again: deletes what can be deleted, ends the rest, and says which is which. */
export const unseed = (address: string, say: Say, env: Environment = process.env): Promise<void> =>
  withHands(address, env, async ({ root, admin, organizationId }) => {
    say(`${await deleteScans(admin.call, organizationId, seededName)} scans deleted`)
    say(`${await resolveComplaints(root.call, `[${seededName}]`)} complaints resolved (complaints cannot be deleted)`)
    const hasWaited = await rejectRegistration(root.call, applicant)
    say(`registration of ${applicant}: ${hasWaited ? 'rejected (registrations cannot be deleted)' : 'none waits'}`)
    const wasActive = await deactivateOrganization(root.call, seededName)
    say(`organization ${seededName}: ${wasActive ? 'deactivated (organizations cannot be deleted)' : 'is not active'}`)
  })

const register = (address: string, names: { email: string; organizationName: string }): Promise<unknown> =>
  createApi(address)('POST', 'Registration/add', {
    civility: 'Ms',
    firstName: 'Quality',
    lastName: 'Assurance',
    mobile: null,
    landline: null,
    fax: null,
    ...names,
  })

async function seedOrganization({ address, root }: Hands, say: Say): Promise<void> {
  const existing = await findOrganization(root.call, seededName)
  if (existing === undefined) {
    await register(address, { email: firstAdministrator, organizationName: seededName })
    const rows = await root.call<{ id: string; contactInfo: { email: string } }[]>(
      'GET',
      `Registration/list?page=1&pageSize=10&search=${encodeURIComponent(firstAdministrator)}`,
    )
    const id = rows.find(({ contactInfo }) => contactInfo.email === firstAdministrator)?.id
    if (id === undefined) throw new Error(`The registration of ${firstAdministrator} did not arrive.`)
    await root.call('PUT', `Registration/approve/${id}`)
  } else if (existing.status !== 'Activated') await root.call('PUT', `Organization/activate/${existing.id}`)
  const id = (await findOrganization(root.call, seededName))?.id ?? ''
  const { organizationExists } = await root.call<{ organizationExists: boolean }>(
    'GET',
    `Organization/datastoreExists?id=${id}`,
  )
  if (!organizationExists) await root.call('POST', `Organization/createDatastore?id=${id}`)
  say(`organization ${seededName}: ${existing === undefined ? 'made' : 'was there'}, active, with a datastore`)
}

async function seedScans({ address, admin, organizationId }: Hands, say: Say): Promise<void> {
  const existing = await admin.call<unknown[]>('GET', `Scan/list?page=1&pageSize=10&search=${seededName}`)
  if (existing.length >= stacks.length) return say(`${existing.length} scans were there`)
  await deleteScans(admin.call, organizationId, seededName)
  const studyUID = freshUid()
  for (const slices of stacks) {
    const seriesUID = freshUid()
    const labels = { patientName: 'QA^Seed', patientID: seededName, studyUID, seriesUID }
    const { body, contentType } = toStoreRequest(
      Array.from({ length: slices }, (_, at) => aDicomFile(labels, side, at + 1)),
    )
    const response = await fetch(`${address}/dicom-web/studies`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}`, 'content-type': contentType },
      body: new Uint8Array(body),
    })
    if (!response.ok)
      throw new Error(`A scan was refused (${response.status}): ${(await response.text()).slice(0, 200)}`)
  }
  say(`${stacks.length} scans stored in the organization of E2E_ADMIN`)
}

async function seedComplaints(admin: Call, say: Say): Promise<void> {
  const existing = await admin<unknown[]>(
    'GET',
    `Complaint/list?state=open&page=1&pageSize=10&search=${encodeURIComponent(`[${seededName}]`)}`,
  )
  if (existing.length >= complaints.length) return say(`${existing.length} complaints were there`)
  const [type] = await admin<{ id: string }[]>('GET', 'Complaint/listTypes')
  const { policy } = await admin<User>('GET', 'account/profile')
  for (const description of complaints)
    await admin('POST', 'Complaint/add', {
      typeId: type?.id,
      moduleId: policy[0]?.moduleId,
      description: `[${seededName}] ${description}`,
    })
  say(`${complaints.length} complaints made`)
}
