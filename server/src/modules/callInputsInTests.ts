import type { Endpoint } from '@dmp/contract'
import { defaultAlertRules } from '@dmp/contract/alertRules'
import { complaintTypes } from '@dmp/contract/examples'
import { moduleIds } from '@dmp/contract/policy'
import { roleIds } from '../identity/roles.ts'
import { listKeys } from '../testing/request.ts'
import { demoPassword } from './account/demoAccounts.ts'
import { aReport, destination, type Things } from './ownThingsInTests.ts'

/** Of which thing the property `id` of a call is the id: by the first word of its address, unless the call says. */
const idOfArea: Readonly<Record<string, string>> = {
  ApiToken: 'apiToken',
  Audit: 'event',
  businessUser: 'user',
  Complaint: 'complaint',
  DicomPartner: 'partner',
  Inbox: 'entry',
  Organization: 'organizationId',
  // They belong to nobody yet, and only the provider sees them.
  Registration: 'user',
  Station: 'station',
  Webhook: 'webhook',
}
const idOfCall: Readonly<Record<string, string>> = {
  // The session that asks cannot be named there: nobody's.
  'POST /account/signOutSession/:id': 'userId',
  'DELETE /DicomPartner/dismissCaller/:id': 'caller',
  'GET /Webhook/getDelivery': 'delivery',
  'POST /Webhook/replay/:id': 'delivery',
  'PUT /Scan/decideHeld/:id': 'held',
  'PUT /Scan/saveHeldChoice/:id': 'held',
  'GET /Scan/getHeld': 'held',
  'GET /Scan/getHeldPicture': 'held',
  'PUT /Scan/endHold/:id': 'hold',
  'GET /Scan/getTransferReport': 'transfer',
  'GET /Scan/listTransferScans': 'transfer',
  'PUT /Scan/stopTransfer/:id': 'transfer',
  'DELETE /Scan/removeFilter/:id': 'filter',
  'PUT /Scan/renameFilter/:id': 'filter',
  'DELETE /Scan/revokeShare/:id': 'link',
  'PUT /Scan/settleConflict/:id': 'conflict',
}

const contact = { civility: 'Ms', firstName: 'Ada', lastName: 'Berg', mobile: null, landline: null, fax: null }
const words = {
  name: 'A new one',
  description: 'It does not open.',
  comment: 'Why.',
  text: 'Some words.',
  note: 'It was a round.',
  reason: 'Why.',
  message: 'Look at this.',
  search: '',
  updatedOrganizationName: 'South-Clinic',
  organizationName: 'Brand-New',
  applicationName: 'host',
  applicationComponent: 'page',
  stackTrace: 'Error',
  version: '1.0.0',
  part: 'remote-scan',
  releaseId: '0'.repeat(16),
  termsLink: 'none',
  source: 'http://localhost:8123',
}
const wrongSecrets = {
  ClientId: 'dmp-web',
  clientId: 'dmp-web',
  refreshToken: 'wrong',
  setupToken: 'wrong',
  session: 'wrong',
  ConfirmationCode: 'wrong',
  oldPassword: 'Wrong one 12!',
  newPassword: 'Another one 12!',
  confirmNewPassword: 'Another one 12!',
  NewPassword: 'Another one 12!',
  ConfirmNewPassword: 'Another one 12!',
  mfaCode: '000000',
  code: 'BCDF-GHJK',
}
const choices = {
  saas: '',
  kind: 'ScanArrived',
  choice: 'Here',
  decision: 'Send',
  platform: 'linux',
  sortColumn: '',
  sortDirection: '',
  scopes: ['read'],
  kinds: ['SeriesReduced'],
  services: ['Store'],
  aeTitle: 'CT_ROOM9',
  frame: '1',
  bytes: 10,
  anonymize: true,
  mfaEnabled: false,
  isDismissed: true,
  isSeenElsewhere: false,
  masks: [],
  leftOut: [],
  revision: '',
  until: '2020-01-01T00:00:00.000Z',
  since: new Date(Date.now() - 60_000).toISOString(),
  dstOrganizationName: destination,
}

/** What goes into a property, by its name; no two calls mean different things by one, but for those below. */
const valuesOf = (things: Things): Readonly<Record<string, unknown>> => ({
  ...contact,
  ...words,
  ...wrongSecrets,
  ...choices,
  ...aReport,
  email: 'nobody@south.example',
  Email: 'nobody@south.example',
  userName: 'nobody@south.example',
  password: demoPassword,
  moduleId: moduleIds.Scan,
  typeId: complaintTypes[0]?.id,
  roleId: roleIds.staff,
  organizationId: things['organizationId'],
  userId: things['userId'],
  UserId: things['userId'],
  // None was made.
  exportId: things['userId'],
  importId: things['userId'],
  actorId: things['userId'],
  sessionId: things['launch'],
  machineId: things['machine'],
  webhookId: things['webhook'],
  token: things['share'],
  studyUID: things['study'],
  patientOf: things['study'],
  seriesUID: things['series'],
  instanceUID: things['picture'],
  seriesUIDs: [things['series']],
  alsoSeriesUIDs: [things['pictures']],
  seriesIdList: [things['series']],
  ids: [things['bin']],
  scans: [{ studyUID: things['study'], seriesUID: things['series'] }],
  challengeResponse: { userName: 'nobody@south.example', newPassword: 'Another one 12!' },
})

const special: Readonly<Record<string, (things: Things) => Record<string, unknown>>> = {
  'GET /Release/getCallShape': () => ({ name: 'GET /account/profile' }),
  'GET /Release/getPreview': () => ({ id: '0'.repeat(32) }),
  'POST /Release/openPreview': () => ({ id: '0'.repeat(32) }),
  'POST /Release/report': () => ({ seen: [{ part: 'host', releaseId: '0'.repeat(16), what: 'loaded' }] }),
  'POST /Release/reportTimes': () => ({
    times: [{ part: 'host', releaseId: '0'.repeat(16), what: 'start', value: 100 }],
  }),
  'POST /Release/reportErrors': () => ({
    errors: [
      {
        part: 'host',
        releaseId: '0'.repeat(16),
        name: 'TypeError',
        message: '… is not iterable',
        frames: [{ file: 'main.js', line: 1, column: 1 }],
      },
    ],
  }),
  'GET /Scan/findDestination': () => ({ name: destination }),
  'PUT /Scan/undoDelete/:organizationId': ({ deleted }) => ({ seriesIdList: [deleted] }),
  'DELETE /Scan/purge/:organizationId': ({ purged }) => ({ ids: [purged] }),
  'POST /Scan/hold/:organizationId': ({ picturesStudy }) => ({ studyUID: picturesStudy }),
  'POST /Scan/share/:organizationId': () => ({ expireInDay: 1 }),
  'POST /DicomPartner/add': () => ({ addresses: ['127.0.0.1'] }),
  'PUT /DicomPartner/update/:id': () => ({ name: 'Changed', aeTitle: 'CT_ROOM8', addresses: ['127.0.0.1'] }),
  'PUT /Webhook/update/:id': () => ({ name: 'Changed' }),
  'PUT /Scan/renameFilter/:id': () => ({ name: 'Renamed' }),
  'PUT /Organization/setAlertRules/:id': () => ({ ...defaultAlertRules, timeZone: 'Europe/Berlin' }),
  'POST /Station/tell': () => ({ ...aReport }),
}

const schemasOf = ({ definition: { params, query, body } }: Endpoint) => [params, query, body]
const isOptional = (call: Endpoint, key: string): boolean =>
  schemasOf(call).some((schema) => {
    const { entries, pipe } = (schema ?? {}) as Entries
    return (entries ?? pipe?.[0]?.entries)?.[key]?.type === 'optional'
  })
interface Entries {
  readonly entries?: Readonly<Record<string, { readonly type: string }>>
  readonly pipe?: readonly Entries[]
}

/** The properties that a call declares, in its path, its query or its body. */
const keysOf = (call: Endpoint): string[] => schemasOf(call).flatMap(listKeys)

/** A valid input of a call about one's own things: what it needs, and every property that can name a thing. */
export function ownInput(call: Endpoint, things: Things, more: Readonly<Record<string, unknown>> = {}) {
  const area = call.definition.path.split('/')[1] ?? ''
  const id = things[idOfCall[call.name] ?? idOfArea[area] ?? '']
  const its = special[call.name]?.(things) ?? {}
  const values: Readonly<Record<string, unknown>> = {
    ...valuesOf(things),
    ...more,
    ...(id !== undefined && { id }),
    ...its,
  }
  const own = new Set(Object.values(things))
  const namesThing = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? Object.values(value).some(namesThing) : own.has(String(value))
  const entries = keysOf(call)
    .map((key) => [key, values[key]] as const)
    .filter(([key, value]) => value !== undefined && (!isOptional(call, key) || key in its || namesThing(value)))
  return Object.fromEntries(entries)
}
