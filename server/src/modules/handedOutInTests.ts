import { randomUUID } from 'node:crypto'
import { account, scan } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import type { InjectOptions } from 'fastify'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { signAccessToken } from '../identity/accessToken.ts'
import type { SignedIn, TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'
import { demoPassword } from './account/demoAccounts.ts'
import { exchangeForAccessToken, makeApiToken } from './apiToken/apiTokenInTests.ts'
import { Stranger, tokenOf } from './scan/sharing/shareInTests.ts'

/** What the product hands out to the administrator of South-Clinic and to visitors of links, and whether it opens. */

export const email = 'admin@south.example'
const clientId = 'dmp-web'
const uids = { study: '1.66', series: '1.66.1' }
const inSouth = { organizationId: southClinic.id, seriesUID: uids.series }
const page = { origin: 'http://localhost:4000', host: 'localhost:4000' }

export interface Person extends SignedIn {
  /** Of the browser that signed in. */
  readonly binding: string
}

/** Signs in by a browser, with a study in the store. */
export async function startPerson(server: TestServer): Promise<Person> {
  const elements = slice({
    '00080018': text('UI', '1.66.1.1'),
    '0020000D': text('UI', uids.study),
    '0020000E': text('UI', uids.series),
  })
  const stored = await stow(server, await server.signIn(email), [dicomFile({ elements })])
  if (stored.statusCode !== 200) throw new Error(stored.body)
  const input = { ClientId: clientId, email, password: demoPassword }
  const { raw, data } = await server.call(account.login, input, { headers: page })
  const headers = { authorization: `Bearer ${data.accessToken ?? ''}` }
  const binding = `dmp-binding=${raw.cookies.find(({ name }) => name === 'dmp-binding')?.value ?? ''}`
  return {
    tokens: data,
    userId: data.userId ?? '',
    headers,
    binding,
    call: (call, given, more = {}) => server.call(call, given, { ...more, headers: { ...headers, ...more.headers } }),
  }
}

type Opens = () => Promise<boolean>
const hasStatus =
  (server: TestServer, options: InjectOptions, status = 200): Opens =>
  async () =>
    (await server.app.inject(options)).statusCode === status

/** Hands it out, and returns whether it opens, whenever it is asked. */
type HandOut = (server: TestServer, person: Person) => Promise<Opens>

const sessionOf = ({ tokens }: SignedIn): string =>
  (JSON.parse(Buffer.from(tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

async function readTarget(person: Person) {
  const { data } = await person.call(scan.get, inSouth)
  return { imageSetID: data.advanced.imageSetID ?? '', dataStoreID: data.advanced.dataStoreID }
}

/** What opens for as long as a session lives. Those that use something up come last. */
export const ofTheSession: Readonly<Record<string, HandOut>> = {
  'the access token': async (server, { headers }) => hasStatus(server, { url: '/dicom-web/studies', headers }),
  'the token of an external app': async (server, person) => {
    const claims = { userId: person.userId, sessionId: sessionOf(person), scope: 'scan-read' } as const
    const { token } = await signAccessToken(server.deps.keys, claims, 10)
    return hasStatus(server, { url: '/dicom-web/studies', headers: { authorization: `Bearer ${token}` } })
  },
  'the launch cookie': async (server, person) => {
    const payload = { imageSetID: (await readTarget(person)).imageSetID }
    const { cookies } = await server.app.inject({ method: 'POST', url: '/launch', headers: person.headers, payload })
    const cookie = `dmp-launch=${cookies.find(({ name }) => name === 'dmp-launch')?.value ?? ''}`
    return hasStatus(server, { url: `/dicom-web/studies/${uids.study}/metadata`, headers: { cookie } })
  },
  'the address and the cookie of a launch': async (server, person) => {
    const { imageSetID, dataStoreID } = await readTarget(person)
    const sessionId = randomUUID()
    await person.call(account.announceLaunch, { sessionId }, { headers: page })
    const query = { sessionId, datastore: dataStoreID, ImageSetID: imageSetID, StudyInstanceUIDs: uids.study }
    return hasStatus(server, { url: `/launch?${new URLSearchParams(query)}`, headers: { cookie: person.binding } }, 303)
  },
  'the address of an upload': async (server, { headers }) => {
    const tus = { ...headers, 'tus-resumable': '1.0.0' }
    const begun = await server.app.inject({
      method: 'POST',
      url: '/api/Scan/uploads',
      headers: { ...tus, 'upload-length': '1000' },
    })
    return hasStatus(server, { method: 'HEAD', url: String(begun.headers.location), headers: tus })
  },
  'the address of a download': async (server, person) =>
    hasStatus(server, { url: new URL((await person.call(scan.download, inSouth)).data.downloadUrl).pathname }),
  'the refresh token': async (server, { tokens, binding }) => {
    const input = { clientId, refreshToken: tokens.refreshToken ?? '' }
    return async () =>
      (await server.call(account.renewToken, input, { headers: { ...page, cookie: binding } })).status === 200
  },
}

const changeUser = (server: TestServer, change: { mfa_enabled?: boolean; temporary_until?: Date | null }) =>
  server.deps.db.updateTable('users').set(change).where('email', '=', email).execute()

/** What a password or a mailbox began, beside all sessions. */
export const ofTheAccount: Readonly<Record<string, HandOut>> = {
  'a sign-in that waits for its code': async (server, { userId }) => {
    await changeUser(server, { mfa_enabled: true })
    const { data } = await server.call(account.login, { ClientId: clientId, email, password: demoPassword })
    await changeUser(server, { mfa_enabled: false })
    const input = { clientId, session: data.session ?? '', userId, mfaCode: '000000' }
    // A wrong code, or the right one by chance: the sign-in is still there.
    return async () => (await server.call(account.respondToMFA, input)).code !== 'CHALLENGE_OVER'
  },
  'a sign-in that waits for a new password': async (server) => {
    await changeUser(server, { temporary_until: new Date(Date.now() + 3_600_000) })
    const { data } = await server.call(account.login, { ClientId: clientId, email, password: demoPassword })
    await changeUser(server, { temporary_until: null })
    const challengeResponse = { userName: email, newPassword: demoPassword }
    const input = { clientId, session: data.session ?? '', challengeResponse }
    return async () => (await server.call(account.setNewPassword, input)).code !== 'CHALLENGE_OVER'
  },
  'the mailed link for a new password': async (server, { userId }) => {
    await server.deps.db.deleteFrom('mails').execute()
    await server.call(account.forgotPassword, { Email: email, ClientId: clientId })
    const ConfirmationCode = (await server.mailTo(email)).links[0]?.split('/').at(-1) ?? ''
    const [NewPassword, ConfirmNewPassword] = ['Yet another 34!', 'Yet another 34!']
    const input = { UserId: userId, ConfirmationCode, NewPassword, ConfirmNewPassword, ClientId: clientId }
    return async () => (await server.call(account.resetForgotPassword, input)).status === 200
  },
}

export const share = async (person: Person): Promise<string> =>
  tokenOf((await person.call(scan.share, { ...inSouth, expireInDay: 1, allowsDownload: true })).data.downloadUrl)

/** What a machine holds: it goes on until it is ended itself, or nobody answers for it any more. */
export const ofTheMachine: Readonly<Record<string, HandOut>> = {
  'an API token': async (server, person) => {
    const authorization = `Bearer ${(await makeApiToken(person)).token}`
    return hasStatus(server, { url: '/dicom-web/studies', headers: { authorization } })
  },
  'the access token of an API token': async (server, person) => {
    const authorization = `Bearer ${await exchangeForAccessToken(server, await makeApiToken(person))}`
    return hasStatus(server, { url: '/dicom-web/studies', headers: { authorization } })
  },
}

/** What goes on without its sender being signed in, until the link ends. */
export const ofTheLink: Readonly<Record<string, HandOut>> = {
  'a share link': async (server, person) => {
    const token = await share(person)
    return async () => (await new Stranger(server).look(token)).status === 200
  },
  'the cookie of somebody who opened a share link': async (server, person) => {
    const stranger = new Stranger(server)
    const { data } = await stranger.visit(await share(person))
    const url = `/dicom-web/shared/${data.id}/studies/${uids.study}/series`
    return async () => (await stranger.get(url)).statusCode === 200
  },
  'the address of a download by a share link': async (server, person) => {
    const { data } = await new Stranger(server).download(await share(person))
    return hasStatus(server, { url: new URL(data.downloadUrl).pathname })
  },
}
