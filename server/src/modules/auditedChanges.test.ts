import { account, audit, businessUser, complaint, organization, registration, scan } from '@dmp/contract'
import { anAlertRules, northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { registrationStatusIds } from '@dmp/contract/registration'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import { aLogo } from '../testing/pictures.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { demoPassword } from './account/demoAccounts.ts'
import { addUser } from './businessUser/businessUserInTests.ts'
import { register } from './registration/registrationInTests.ts'
import { storeStudies } from './scan/sharing/shareInTests.ts'

let server: TestServer
let root: SignedIn
let north: SignedIn
let south: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  north = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

type Reply = { readonly status: number }
interface Audited {
  readonly event: AuditEvent
  /** The organization whose data it is about; null where it is nobody's. */
  readonly about: string | null
  readonly act: () => Promise<Reply>
}

const client = { ClientId: 'dmp-web', clientId: 'dmp-web' }
const contact = { civility: 'Dr', firstName: 'Rita', lastName: 'Levi', mobile: null, landline: null, fax: null }
const chosen = 'Something new 1!'
const aPerson = async () => (await addUser(north)).id
const complaintOfNorth = async () => (await north.call(complaint.list, {})).data[0]?.id ?? ''
const otherThan = (current: string, choices: readonly { id: string; name: string; isActive: boolean }[]) =>
  choices.find(({ name, isActive }) => isActive && name !== current)?.id ?? ''
/** A study of North that nobody has touched, and a series of it. */
let studies = 0
const studyOfNorth = async () => {
  const root = `1.77.${(studies += 1)}`
  await storeStudies(server, north, root, 'Tester^Tilda')
  const organizationId = await server.organizationOf(north)
  return { study: { organizationId, studyUID: `${root}.1` }, series: { organizationId, seriesUID: `${root}.1.1` } }
}
const resetLink = async () => {
  await server.call(account.forgotPassword, { ...client, clientId: undefined, Email: 'staff@north.example' })
  // An earlier mail is there, too: the one with the link follows the answer.
  let link: string | undefined
  while (!(link = (await server.mailTo('staff@north.example')).links.find((to) => to.includes('/reset-password/'))))
    await new Promise((again) => setTimeout(again, 20))
  const [UserId, ConfirmationCode] = link.split('/').slice(-2)
  return { UserId, ConfirmationCode, NewPassword: chosen, ConfirmNewPassword: chosen, ClientId: 'dmp-web' }
}

const audited: readonly Audited[] = [
  { event: 'UserAdded', about: northClinic.name, act: async () => ({ status: (await addUser(north)) ? 200 : 0 }) },
  {
    event: 'UserViewed',
    about: northClinic.name,
    act: async () => root.call(businessUser.get, { id: await aPerson() }),
  },
  {
    event: 'UserChanged',
    about: northClinic.name,
    act: async () => root.call(businessUser.update, { id: await aPerson(), ...contact }),
  },
  {
    event: 'UserDeactivated',
    about: northClinic.name,
    act: async () => root.call(businessUser.deactivateUser, { id: await aPerson() }),
  },
  {
    event: 'UserActivated',
    about: northClinic.name,
    act: async () => {
      const id = await aPerson()
      await root.call(businessUser.deactivateUser, { id })
      return root.call(businessUser.activateUser, { id })
    },
  },
  {
    event: 'TemporaryPasswordSent',
    about: northClinic.name,
    act: async () => root.call(businessUser.resetTemporaryPassword, { id: await aPerson() }),
  },
  {
    event: 'TermsSent',
    about: provider.name,
    act: () => root.call(businessUser.sendUpdatedTermsOfUse, { termsLink: server.deps.settings.termsLink }),
  },
  { event: 'ProfileChanged', about: northClinic.name, act: () => staff.call(businessUser.updateProfile, contact) },
  {
    event: 'PreferencesChanged',
    about: southClinic.name,
    act: () => south.call(account.updatePreferences, { mfaEnabled: true }),
  },
  {
    event: 'PasswordChanged',
    about: northClinic.name,
    act: () =>
      staff.call(account.changePassword, {
        oldPassword: demoPassword,
        newPassword: chosen,
        confirmNewPassword: chosen,
      }),
  },
  { event: 'SessionEnded', about: northClinic.name, act: () => staff.call(account.signOutOthers, {}) },
  {
    event: 'SessionEnded',
    about: northClinic.name,
    act: async () => {
      const other = await (await server.signIn('staff', chosen)).call(account.listSessions, {})
      return staff.call(account.signOutSession, { id: other.data.find((row) => row.isCurrent)?.id ?? '' })
    },
  },
  {
    event: 'MfaFailed',
    about: northClinic.name,
    act: async () => {
      const email = 'mfa@north.example'
      const { data } = await server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword })
      const { userId, session } = data
      const wrong = await server.call(account.respondToMFA, { clientId: 'dmp-web', userId, session, mfaCode: 'x' })
      return { status: wrong.status === 401 ? 200 : wrong.status }
    },
  },
  {
    event: 'PasswordResetRequested',
    about: northClinic.name,
    act: () => server.call(account.forgotPassword, { ClientId: 'dmp-web', Email: 'admin@north.example' }),
  },
  {
    event: 'DatastoreCreated',
    about: westClinic.name,
    act: () => root.call(organization.createDatastore, { id: westClinic.id }),
  },
  {
    event: 'OrganizationLogoChanged',
    about: northClinic.name,
    act: async () => root.call(organization.setLogo, { id: northClinic.id, imageData: await aLogo() }),
  },
  {
    event: 'AlertRulesChanged',
    about: northClinic.name,
    act: () => north.call(organization.setAlertRules, { id: northClinic.id, ...anAlertRules() }),
  },
  {
    event: 'AccessAlertAcknowledged',
    about: northClinic.name,
    act: async () => {
      const dates = { first_date: new Date(), last_date: new Date(), until_date: new Date() }
      const { id } = await server.deps.db
        .insertInto('access_alerts')
        .values({
          organization_id: northClinic.id,
          user_id: staff.userId,
          rule: 'ManyPatients',
          patients: 61,
          patient_keys: [],
          ...dates,
          acknowledged_date: null,
          acknowledged_by: null,
          note: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return north.call(audit.acknowledgeAlert, { id, note: 'Asked.' })
    },
  },
  {
    event: 'OrganizationLogoRemoved',
    about: northClinic.name,
    act: async () => {
      await north.call(organization.setLogo, { id: northClinic.id, imageData: await aLogo() })
      return root.call(organization.removeLogo, { id: northClinic.id })
    },
  },
  {
    event: 'OrganizationExported',
    about: northClinic.name,
    act: () => root.call(organization.startExport, { id: northClinic.id, password: demoPassword }),
  },
  {
    event: 'OrganizationImported',
    about: northClinic.name,
    act: () => root.call(organization.startImport, { id: northClinic.id, bytes: 10, password: demoPassword }),
  },
  {
    event: 'RegistrationViewed',
    about: provider.name,
    act: async () => root.call(registration.get, { id: (await register(server, root)).id }),
  },
  {
    event: 'RegistrationApproved',
    about: provider.name,
    act: async () => root.call(registration.approve, { id: (await register(server, root)).id }),
  },
  {
    event: 'RegistrationRejected',
    about: provider.name,
    act: async () =>
      root.call(registration.reject, {
        id: (await register(server, root)).id,
        statusId: registrationStatusIds.Rejected,
        comment: 'Not now.',
      }),
  },
  {
    event: 'ComplaintViewed',
    about: northClinic.name,
    act: async () => root.call(complaint.get, { id: await complaintOfNorth() }),
  },
  {
    event: 'ComplaintSeverityChanged',
    about: northClinic.name,
    act: async () => {
      const { id, severity } = (await root.call(complaint.get, { id: await complaintOfNorth() })).data
      const severityId = otherThan(severity, (await root.call(complaint.listSeverities, {})).data)
      return root.call(complaint.updateSeverity, { id, severityId })
    },
  },
  {
    event: 'ComplaintStatusChanged',
    about: northClinic.name,
    act: async () => {
      const { id, currentStatus } = (await root.call(complaint.get, { id: await complaintOfNorth() })).data
      const statusId = otherThan(currentStatus, (await root.call(complaint.listStatuses, {})).data)
      return root.call(complaint.updateStatus, { id, statusId, comment: 'Seen.' })
    },
  },
  {
    event: 'ScanShared',
    about: northClinic.name,
    act: async () => root.call(scan.share, { ...(await studyOfNorth()).series, expireInDay: 1 }),
  },
  {
    event: 'ShareRevoked',
    about: northClinic.name,
    act: async () => {
      const { series } = await studyOfNorth()
      await north.call(scan.share, { ...series, expireInDay: 1 })
      const [share] = (await north.call(scan.listShares, series)).data
      return root.call(scan.revokeShare, { id: share?.id ?? '' })
    },
  },
  {
    event: 'LegalHoldSet',
    about: northClinic.name,
    act: async () => root.call(scan.hold, { ...(await studyOfNorth()).study, reason: 'court case 12' }),
  },
  {
    event: 'LegalHoldEnded',
    about: northClinic.name,
    act: async () => {
      const { data } = await root.call(scan.hold, { ...(await studyOfNorth()).study, reason: 'court case 12' })
      return root.call(scan.endHold, { id: data.id })
    },
  },
  {
    event: 'PasswordReset',
    about: northClinic.name,
    act: async () => server.call(account.resetForgotPassword, await resetLink()),
  },
]

const count = async (viewer: SignedIn, event: AuditEvent): Promise<number> =>
  (await viewer.call(audit.list, { event, page: 1, pageSize: 50 })).total ?? 0

const isLate = (event: AuditEvent): boolean => event === 'PasswordResetRequested'

describe('an event of the audit', () => {
  it.each(audited.map((step) => [step.event, step] as const))(
    '%s is there when the answer is, once, in the organization it concerns and for nobody else [P02, P24]',
    async (event, { about, act }) => {
      // Signing in again after a password has changed would be an event of its own, so the viewers stay the same.
      const before = await Promise.all([root, south].map((viewer) => count(viewer, event)))
      expect((await act()).status).toBe(200)
      // A forgotten password is answered before any work is done, so that the time tells nothing (P07).
      while (isLate(event) && (await count(root, event)) === before[0])
        await new Promise((again) => setTimeout(again, 20))
      const after = await Promise.all([root, south].map((viewer) => count(viewer, event)))
      const isSouth = about === southClinic.name
      expect(after.map((total, index) => total - (before[index] ?? 0))).toEqual([1, isSouth ? 1 : 0])
      const [newest] = (await root.call(audit.list, { event })).data
      expect(newest).toMatchObject({ event, organization: about })
    },
  )
})
