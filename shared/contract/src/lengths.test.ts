import * as v from 'valibot'
import {
  type Endpoint,
  account,
  apiToken,
  audit,
  businessUser,
  complaint,
  dicomPartner,
  email,
  organization,
  override,
  release,
  scan,
  webhook,
} from './index.ts'
import {} from './endpoint.ts'
import { changeKinds } from './changes.ts'
import { ClientFrame } from './live.ts'
import { pageQuery } from './paging.ts'
import { Canary } from './release.ts'
import { Declaration } from './remote.ts'

/** What is just accepted, and what is one too much: a limit that moves is noticed here. */
const id = '00000000-0000-4000-8000-000000000001'
const releaseId = '0123456789abcdef'
const password = 'Valid1Passw0rd!'
const letters = (count: number): string => 'x'.repeat(count)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const part = ({ definition }: Endpoint, name: 'body' | 'query' | 'params'): v.GenericSchema =>
  definition[name] ?? v.never()
const login = (more: object) => ({ ClientId: 'dmp-web', email: 'a@b.example', password, ...more })
const mfa = (more: object) => ({ clientId: 'dmp-web', session: 's', userId: id, mfaCode: '123456', ...more })
const error = (more: object) => ({
  applicationName: 'a',
  applicationComponent: 'a',
  version: 'a',
  stackTrace: 'a',
  ...more,
})
const image = (more: object) => ({ filename: 'a.png', filesize: 1, fileDataURL: 'data:image/png;base64,AAAA', ...more })
const token = (more: object) => ({ name: 'a', scopes: ['read'], password, ...more })
const hook = (more: object) => ({ name: 'a', url: 'https://a.example/', kinds: ['SeriesQuiet'], password, ...more })
const modality = (more: object) => ({ name: 'a', aeTitle: 'A', services: ['Store'], password, ...more })
const filter = (more: object) => ({ name: 'a', search: '', sortColumn: '', sortDirection: '', ...more })
const seen = (more: object = {}) => ({ part: 'host', releaseId, what: 'loaded', ...more })
const declaration = (more: object) => ({
  name: 'remote-x',
  title: 'X',
  version: '1.0.0',
  routes: [{ prefix: '/x', guard: 'public' }],
  navigation: [],
  cards: [],
  needs: { contract: '^1.0.0', kit: '^1.0.0' },
  ...more,
})
/** JSON text of a picture, as long as asked: blanks between its tokens count. */
const serialized = (length: number) => JSON.stringify(image({})).padEnd(length)

const limits: readonly (readonly [
  what: string,
  schema: v.GenericSchema,
  input: (count: number) => unknown,
  least: number | undefined,
  most: number | undefined,
])[] = [
  ['characters of a client id', part(account.login, 'body'), (n) => login({ ClientId: letters(n) }), 1, 100],
  [
    'characters of the session of a challenge',
    part(account.respondToMFA, 'body'),
    (n) => mfa({ session: letters(n) }),
    1,
    500,
  ],
  ['characters of a user name', part(account.respondToMFA, 'body'), (n) => mfa({ userId: letters(n) }), 1, 255],
  ['characters of a verification code', part(account.respondToMFA, 'body'), (n) => mfa({ mfaCode: letters(n) }), 1, 6],
  ['characters of a refresh token', part(account.logout, 'body'), (n) => ({ refreshToken: letters(n) }), 1, 500],
  [
    'characters of a token on the live channel',
    ClientFrame,
    (n) => ({ type: 'renewToken', accessToken: letters(n) }),
    undefined,
    4096,
  ],
  ['characters of the name of an API token', apiToken.ApiTokenDraft, (n) => token({ name: letters(n) }), 1, 60],
  ['days of an API token', apiToken.ApiTokenDraft, (n) => token({ expireInDays: n }), 1, 365],
  [
    'networks of an API token',
    apiToken.ApiTokenDraft,
    (n) => token({ addresses: times(n, (index) => `10.0.${index}.0/24`) }),
    0,
    20,
  ],
  ['characters of the name of a webhook', webhook.WebhookDraft, (n) => hook({ name: letters(n) }), 1, 60],
  [
    'characters of the address of a webhook',
    webhook.WebhookDraft,
    (n) => hook({ url: 'https://a.example/'.padEnd(n, 'x') }),
    undefined,
    500,
  ],
  ['kinds of a webhook', webhook.WebhookDraft, (n) => hook({ kinds: changeKinds.slice(0, n) }), 1, undefined],
  ['characters of the name of a partner', dicomPartner.DicomPartnerDraft, (n) => modality({ name: letters(n) }), 1, 60],
  ['characters of an AE title', dicomPartner.DicomPartnerDraft, (n) => modality({ aeTitle: letters(n) }), 1, 16],
  [
    'addresses of a partner',
    dicomPartner.DicomPartnerDraft,
    (n) => modality({ addresses: times(n, () => '::1') }),
    0,
    20,
  ],
  [
    'characters of the host of a partner',
    dicomPartner.DicomPartnerDraft,
    (n) => modality({ host: letters(n) }),
    1,
    253,
  ],
  ['the port of a partner', dicomPartner.DicomPartnerDraft, (n) => modality({ port: n }), 1, 65_535],
  ['characters of a kind of event', part(audit.list, 'query'), (n) => ({ event: letters(n) }), 0, 100],
  [
    'characters of the address of terms',
    part(businessUser.sendUpdatedTermsOfUse, 'params'),
    (n) => ({ termsLink: letters(n) }),
    0,
    2000,
  ],
  ['characters of the name of a picture', complaint.ComplaintImage, (n) => image({ filename: letters(n) }), 1, 255],
  ['bytes of a picture', complaint.ComplaintImage, (n) => image({ filesize: n }), 1, 2_097_152],
  [
    'characters of the address of a picture',
    complaint.ComplaintImage,
    (n) => image({ fileDataURL: 'data:image/'.padEnd(n, 'x') }),
    undefined,
    2_900_000,
  ],
  [
    'characters of a serialized picture',
    part(complaint.add, 'body'),
    (n) => ({ typeId: id, moduleId: id, description: 'x', imageData: serialized(n) }),
    undefined,
    3_000_000,
  ],
  [
    'characters of a description',
    complaint.ComplaintDraft,
    (n) => ({ typeId: id, moduleId: id, description: letters(n) }),
    1,
    1024,
  ],
  [
    'characters of an application’s name',
    email.ApplicationError,
    (n) => error({ applicationName: letters(n) }),
    0,
    100,
  ],
  ['characters of a component', email.ApplicationError, (n) => error({ applicationComponent: letters(n) }), 0, 200],
  ['characters of a version', email.ApplicationError, (n) => error({ version: letters(n) }), 0, 100],
  ['characters of a stack', email.ApplicationError, (n) => error({ stackTrace: letters(n) }), 0, 10_000],
  ['characters of a search', v.strictObject(pageQuery(['name'])), (n) => ({ search: letters(n) }), 0, 255],
  ['rows of a page', v.strictObject(pageQuery(['name'])), (n) => ({ pageSize: String(n) }), 1, 1000],
  [
    'licenses',
    part(organization.assignLicenses, 'body'),
    (n) => ({ licenses: times(n, () => ({ licenseId: id, isActive: true, isAutomaticAnalysis: false })) }),
    0,
    100,
  ],
  ['the port of a development server', override.OverrideSource, (n) => `http://localhost:${n}`, 1, 65_535],
  ['percent of a canary', Canary, (n) => ({ name: 'host', releaseId, percent: n, users: [] }), 0, 100],
  [
    'characters of a reason',
    part(release.rollback, 'body'),
    (n) => ({ part: 'host', releaseId, reason: letters(n) }),
    0,
    500,
  ],
  ['things that a page saw', part(release.report, 'body'), (n) => ({ seen: times(n, () => seen()) }), 1, 40],
  ['milliseconds that a page waited', part(release.report, 'body'), (n) => ({ seen: [seen({ ms: n })] }), 0, 600_000],
  ['characters of a title', Declaration, (n) => declaration({ title: letters(n) }), 1, 100],
  [
    'routes of a remote',
    Declaration,
    (n) => declaration({ routes: times(n, (index) => ({ prefix: `/x${index}`, guard: 'public' })) }),
    1,
    undefined,
  ],
  ['characters of a UID', part(scan.get, 'query'), (n) => ({ organizationId: id, seriesUID: '1'.repeat(n) }), 1, 64],
  ['characters of a query', part(scan.list, 'query'), (n) => ({ query: letters(n) }), 0, 255],
  ['characters of a kept search', part(scan.addFilter, 'body'), (n) => filter({ search: letters(n) }), 0, 255],
  ['characters of the name of a kept search', part(scan.addFilter, 'body'), (n) => filter({ name: letters(n) }), 1, 60],
  [
    'characters of the password of a share link',
    scan.ShareForm,
    (n) => ({ expireInDay: 1, password: letters(n) }),
    4,
    100,
  ],
  ['uses of a share link', scan.ShareForm, (n) => ({ expireInDay: 1, maxUses: n }), 1, 1000],
  ['characters of the secret of a share link', part(scan.getShared, 'body'), (n) => ({ token: letters(n) }), 1, 200],
  [
    'scans of a transfer',
    part(scan.transfer, 'body'),
    (n) => ({
      dstOrganizationName: 'East-Clinic',
      anonymize: true,
      scans: times(n, (index) => ({ studyUID: '1.2', seriesUID: `1.2.${index + 1}` })),
    }),
    1,
    500,
  ],
  [
    'characters of the name of a project of transfers',
    part(scan.transfer, 'body'),
    (n) => ({
      dstOrganizationName: 'East-Clinic',
      anonymize: true,
      project: letters(n),
      scans: [{ studyUID: '1.2', seriesUID: '1.2.1' }],
    }),
    1,
    64,
  ],
]

describe('how much there may be of', () => {
  it.each(limits)('%s [P16]', (_what, schema, input, least, most) => {
    const takes = (count: number): boolean => v.safeParse(schema, input(count)).success
    if (most !== undefined) expect([most, most + 1].map(takes)).toEqual([true, false])
    if (least !== undefined) expect(takes(least)).toBe(true)
    if (least !== undefined && least > 0) expect(takes(least - 1)).toBe(false)
  })
})

describe('a time zone', () => {
  it('is one that there is, by name', () => {
    const takes = (timeZone: string): boolean => v.safeParse(v.strictObject(pageQuery(['name'])), { timeZone }).success
    expect(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'].map(takes)).toEqual([true, true, true])
    expect(['+02:00', 'Europe/Nowhere', 'europe berlin', letters(65)].map(takes)).toEqual([false, false, false, false])
  })
})
