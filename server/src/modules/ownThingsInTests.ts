import { randomUUID } from 'node:crypto'
import { account, audit, complaint, dicomPartner, inbox, organization, scan, station, webhook } from '@dmp/contract'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { tag } from '@dmp/dicom'
import { text } from '../dicom/testing/dicomFile.ts'
import type { SignedIn, TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { makeApiToken } from './apiToken/apiTokenInTests.ts'
import { addUser } from './businessUser/businessUserInTests.ts'
import { noteCaller } from './dicomNode/callers.repository.ts'
import { addPartner } from './dicomNode/nodeInTests.ts'
import type { Customer } from './otherPlacesInTests.ts'
import { ultrasound } from './scan/held/heldInTests.ts'
import { makeWebhook, statuses, until, type Receiver } from './webhook/webhookInTests.ts'

/** What a customer has of every kind that some call names, by its id: South and North have the same kinds. */
export type Things = Readonly<Record<string, string>>

/** Where both send copies to. */
export const destination = 'East-Clinic'

/** The server lets nothing but the receiver be told of changes. */
export async function addDestination(root: SignedIn): Promise<void> {
  const person = { civility: 'Ms', firstName: 'Eva', lastName: 'East', email: 'admin@east.example' }
  const reply = await root.call(organization.add, { name: destination, withDatastore: true, ...person })
  expect([reply.status, reply.message]).toEqual([200, undefined])
}

interface Settling {
  readonly server: TestServer
  readonly root: SignedIn
  readonly receiver: Receiver
  readonly customer: Customer
}

/** One of each kind, made by the calls by which people make them. */
export async function addThings(settling: Settling): Promise<Things> {
  const { who, organizationId, study, series, instance, imageSetID, share } = settling.customer
  const things = {
    organizationId,
    userId: who.userId,
    study,
    series,
    instance,
    imageSetID,
    share,
    session: sessionOf(who),
    ...(await addPeoplesThings(settling)),
    ...(await addMachines(settling)),
    ...(await addScans(settling)),
  }
  await until(() => isToldOfAll(settling.server, organizationId))
  return things
}

/** Webhooks look through what was recorded a moment after the calls that recorded it, and let go of it later still. */
async function isToldOfAll({ deps: { db } }: TestServer, organizationId: string): Promise<boolean> {
  const behind = await db
    .selectFrom('webhooks')
    .innerJoin('change_feeds', 'change_feeds.organization_id', 'webhooks.organization_id')
    .select('webhooks.id')
    .where('webhooks.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('sender', 'is not', null), eb('cursor', '<', eb.ref('last_number'))]))
    .execute()
  return behind.length === 0
}

const sessionOf = ({ tokens }: SignedIn): string =>
  (JSON.parse(Buffer.from(tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

async function addPeoplesThings({ root, customer }: Settling): Promise<Things> {
  const { who, organizationId, study, patient } = customer
  const user = await addUser(who, { organizationId, email: `colleague@${patient.toLowerCase()}.example` })
  const typeId = complaintTypes[0]?.id ?? ''
  const { data: made } = await who.call(complaint.add, { typeId, moduleId: moduleIds.Scan, description: study })
  // Which the customer's inbox tells.
  await root.call(complaint.addMessage, { id: made.id, text: 'We look at it.' })
  const { data: told } = await who.call(inbox.list, {})
  const { data: events } = await who.call(audit.list, {})
  const launch = randomUUID()
  const page = { origin: 'http://localhost:4000', host: 'localhost:4000' }
  expect((await who.call(account.announceLaunch, { sessionId: launch }, { headers: page })).status).toBe(200)
  return {
    user: user.id,
    complaint: made.id,
    entry: told.entries[0]?.id ?? '',
    event: events[0]?.id ?? '',
    launch,
  }
}

async function addMachines({ server, receiver, customer: { who, organizationId } }: Settling): Promise<Things> {
  const token = await makeApiToken(who)
  const partner = await addPartner(who)
  const refused = {
    organizationId,
    aeTitle: 'MR1',
    address: '127.0.0.1',
    reason: 'Unknown',
    fingerprint: null,
  } as const
  await noteCaller(server.deps.db, refused, 1)
  const { data: callers } = await who.call(dicomPartner.listCallers, {})
  const machine = randomUUID()
  await who.call(station.tell, { ...aReport, machineId: machine })
  const { data: stations } = await who.call(station.list, {})
  const hook = await makeWebhook(who, receiver.url, { kinds: ['SeriesReduced'] })
  expect((await who.call(webhook.sendTest, { id: hook.id })).status).toBe(200)
  const [delivery] = await statuses(who, hook.id, ['Delivered'])
  return {
    apiToken: token.id,
    partner: partner.id,
    caller: callers[0]?.id ?? '',
    machine,
    station: stations[0]?.id ?? '',
    webhook: hook.id,
    delivery: delivery?.id ?? '',
  }
}

export const aReport = {
  name: 'Workstation',
  version: '1.0.0',
  system: 'Linux',
  waiting: 0,
  waitingBytes: 0,
  sent: 0,
  refused: 0,
  failed: 0,
  isPaused: false,
} as const

async function addScans({
  server,
  customer: { who, organizationId, study, series, patient },
}: Settling): Promise<Things> {
  const [deleted, pictures] = [`${study}.6`, `${study}.5`]
  const inBin = [deleted, `${study}.8`, `${study}.9`]
  const named = { [tag.PatientName]: text('PN', patient), [tag.PatientID]: text('LO', patient) }
  const stored = await stow(
    server,
    who,
    [...inBin, pictures].map((uid) => ultrasound(uid, 1, named)),
  )
  expect(stored.statusCode).toBe(200)
  const somebodyElse = { [tag.PatientName]: text('PN', 'Else'), [tag.StudyInstanceUID]: text('UI', study) }
  expect((await stow(server, who, [ultrasound(`${study}.7`, 1, somebodyElse)])).statusCode).toBe(409)
  await who.call(scan.remove, { organizationId, seriesIdList: inBin })
  const { data: bin } = await who.call(scan.listBin, {})
  const binned = (uid = ''): string => bin.find(({ seriesUID }) => seriesUID === uid)?.id ?? ''
  const filter = { name: 'Mine', search: patient, sortColumn: '', sortDirection: '' } as const
  const scans = [{ studyUID: `${pictures}.0`, seriesUID: pictures }]
  const sent = { organizationId, dstOrganizationName: destination, anonymize: true, project: `Trial ${study}`, scans }
  const transfer = await who.call(scan.transfer, sent)
  await until(async () => (await who.call(scan.listHeld, {})).data.length > 0)
  const hold = await who.call(scan.hold, { organizationId, studyUID: `${pictures}.0`, reason: 'A court asks.' })
  return {
    deleted,
    pictures,
    picture: `${pictures}.1`,
    picturesStudy: `${pictures}.0`,
    filter: (await who.call(scan.addFilter, filter)).data.id,
    link: (await who.call(scan.listShares, { organizationId, seriesUID: series })).data[0]?.id ?? '',
    conflict: (await who.call(scan.listConflicts, {})).data[0]?.id ?? '',
    bin: binned(inBin[1]),
    purged: binned(inBin[2]),
    transfer: transfer.data.id,
    held: (await who.call(scan.listHeld, {})).data[0]?.id ?? '',
    hold: hold.data.id,
  }
}
