import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { account, apiToken, businessUser, organization, scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text, u16 } from '../dicom/testing/dicomFile.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { makeApiToken } from '../modules/apiToken/apiTokenInTests.ts'
import { Stranger, tokenOf } from '../modules/scan/sharing/shareInTests.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow, stowBody } from '../testing/stow.ts'

let server: TestServer
let url: string
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
  ;[root, admin] = await Promise.all([server.signIn('super_admin'), server.signIn('admin')])
})
afterAll(() => server.close())

const side = 2000
/** 8 MB: a line holds less than a few of them. */
const large = (study: string, instance: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.1.${instance}`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
      [tag.Rows]: u16(side),
      [tag.Columns]: u16(side),
      [tag.PixelData]: { vr: 'OW', value: randomBytes(2 * side * side) },
    }),
  })
const small = (uid: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${uid}.1.1`),
      '0020000D': text('UI', uid),
      '0020000E': text('UI', `${uid}.1`),
    }),
  })

const setPerson = (call: typeof businessUser.deactivateUser | typeof businessUser.activateUser, { userId }: SignedIn) =>
  admin.call(call, { id: userId })

const setStatus = (status: 'Activated' | 'Deactivated', { userId }: SignedIn) =>
  server.deps.db.updateTable('users').set({ status }).where('id', '=', userId).execute()

/** What ends a right, and what gives the demo its account back. */
interface End {
  readonly end: (who: SignedIn, id: string) => Promise<unknown>
  readonly undo?: (who: SignedIn) => Promise<unknown>
}
const ends: Readonly<Record<string, End>> = {
  'its person is deactivated': {
    end: (who) => setPerson(businessUser.deactivateUser, who),
    undo: (who) => setPerson(businessUser.activateUser, who),
  },
  'the organization is deactivated': {
    end: () => root.call(organization.deactivate, { id: northClinic.id }),
    undo: async () => {
      await root.call(organization.activate, { id: northClinic.id })
      admin = await server.signIn('admin')
    },
  },
  'news of its end were missed': {
    end: async (who) => {
      await setStatus('Deactivated', who)
      server.deps.bus.publish({ kind: 'missed' })
    },
    undo: async (who) => {
      await setStatus('Activated', who)
      server.deps.bus.publish({ kind: 'missed' })
    },
  },
  'the person signs it out elsewhere': {
    end: async () => (await server.signIn('staff')).call(account.signOutOthers, {}),
  },
}

/** An upload whose second half comes later. */
async function beginUpload(headers: Record<string, string>, uid: string) {
  const { payload, headers: type } = stowBody([small(uid)])
  const request = send(`${url}/dicom-web/studies`, { method: 'POST', headers: { ...headers, ...type } })
  const answered = new Promise<number | 'cut' | undefined>((resolve) => {
    request.on('response', ({ statusCode }) => resolve(statusCode)).on('error', () => resolve('cut'))
  })
  request.write(payload.subarray(0, payload.length / 2))
  // Until it is admitted and what has come is taken.
  await pause(300)
  // Long before a line is cut on which nothing comes.
  const soon = Promise.race([answered, pause(20_000, 'goes on', { ref: false })])
  return { answered: soon, finish: () => request.end(payload.subarray(payload.length / 2)) }
}

const isStored = async (uid: string): Promise<boolean> =>
  (await server.deps.db.selectFrom('studies').select('study_uid').where('study_uid', '=', uid).execute()).length > 0

describe('an upload that is under way [P11, P18]', () => {
  let number = 0
  it.each(Object.entries(ends))('ends when %s, and leaves nothing', async (_what, { end, undo }) => {
    const uid = `1.102.1.${(number += 1)}`
    const staff = await server.signIn('staff')
    const { answered, finish } = await beginUpload(staff.headers, uid)
    await end(staff, uid)
    expect(await answered).toBe('cut')
    finish()
    await undo?.(staff)
    expect(await isStored(uid)).toBe(false)
  })

  it('of a machine ends with its API token', async () => {
    const made = await makeApiToken(admin)
    const { answered } = await beginUpload({ authorization: `Bearer ${made.token}` }, '1.102.2')
    await admin.call(apiToken.end, { id: made.id })
    expect(await answered).toBe('cut')
    expect(await isStored('1.102.2')).toBe(false)
  })

  it('of a machine ends with what its owner may do', async () => {
    const owner = await server.signIn('admin')
    const made = await makeApiToken(owner)
    const { answered } = await beginUpload({ authorization: `Bearer ${made.token}` }, '1.102.5')
    await root.call(businessUser.deactivateUser, { id: owner.userId })
    expect(await answered).toBe('cut')
    await root.call(businessUser.activateUser, { id: owner.userId })
    admin = await server.signIn('admin')
    expect(await isStored('1.102.5')).toBe(false)
  })

  // News that may be about it, or about somebody else; a token that expires is renewed by a person.
  const changes: Readonly<Record<string, (staff: SignedIn, id: string) => Promise<unknown>>> = {
    'its person changes something of the own account': (staff) =>
      staff.call(account.updatePreferences, { mfaEnabled: false }),
    'its owner changes something of the own account': () =>
      admin.call(account.updatePreferences, { mfaEnabled: false }),
    'somebody else is signed out': async () => (await server.signIn('admin')).call(account.signOutOthers, {}),
    'another API token ends': async () => admin.call(apiToken.end, { id: (await makeApiToken(admin)).id }),
    'its API token expires': async (_staff, id) => {
      const gone = new Date(Date.now() - 1000)
      await server.deps.db.updateTable('api_tokens').set({ expires_date: gone }).where('id', '=', id).execute()
      server.deps.bus.publish({ kind: 'missed' })
    },
  }
  it.each(Object.entries(changes))('is stored when %s', async (_what, change) => {
    const uid = `1.102.6.${(number += 1)}`
    const staff = await server.signIn('staff')
    const machine = await makeApiToken(admin)
    const uploads = [
      await beginUpload(staff.headers, `${uid}.1`),
      await beginUpload({ authorization: `Bearer ${machine.token}` }, `${uid}.2`),
    ]
    await change(staff, machine.id)
    admin = await server.signIn('admin')
    await pause(300)
    for (const { finish } of uploads) finish()
    expect(await Promise.all(uploads.map(({ answered }) => answered))).toEqual([200, 200])
    expect([await isStored(`${uid}.1`), await isStored(`${uid}.2`)]).toEqual([true, true])
  })

  it('into an organization that is deactivated ends, although its sender may go on elsewhere', async () => {
    await root.call(organization.createDatastore, { id: southClinic.id })
    const { payload, headers } = stowBody([small('1.102.3')])
    const address = `${url}/dicom-web/studies?organizationId=${southClinic.id}`
    const request = send(address, { method: 'POST', headers: { ...root.headers, ...headers } })
    const cut = new Promise((resolve) => request.on('error', resolve))
    request.write(payload.subarray(0, 500))
    await pause(300)
    await root.call(organization.deactivate, { id: southClinic.id })
    await cut
    await root.call(organization.activate, { id: southClinic.id })
    expect(await isStored('1.102.3')).toBe(false)
  })

  it('is stored when its sender signs out, as a page does after a while without activity', async () => {
    const staff = await server.signIn('staff')
    const { answered, finish } = await beginUpload(staff.headers, '1.102.4')
    await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })
    await pause(300)
    finish()
    expect([await answered, await isStored('1.102.4')]).toEqual([200, true])
  })
})

/** Reads nothing before it is told to, and then counts what comes until the end. */
async function beginReading(path: string, headers: Record<string, string> = {}) {
  const request: ClientRequest = send(url + path, { headers })
  request.on('error', () => undefined)
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.pause().on('error', () => undefined)
  const closed = new Promise((resolve) => response.on('close', resolve))
  return {
    status: response.statusCode,
    rest: async (): Promise<{ bytes: number; isWhole: boolean }> => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume()
      await closed
      return { bytes, isWhole: response.complete }
    },
  }
}

describe('what somebody receives at the moment [P11, P25]', () => {
  const study = '1.102.9'
  const inNorth = { organizationId: northClinic.id, seriesUID: `${study}.1` }
  const total = 6 * 2 * side * side
  beforeAll(async () => {
    for (let instance = 1; instance <= 6; instance += 1) {
      const stored = await stow(server, admin, [large(study, instance)])
      if (stored.statusCode !== 200) throw new Error(stored.body)
    }
  })

  /** The download of a link, and the images that a viewer takes by it. */
  async function beginByLink() {
    const shared = await admin.call(scan.share, { ...inNorth, expireInDay: 1, allowsDownload: true })
    const stranger = new Stranger(server, '127.0.0.1')
    const { data } = await stranger.visit(tokenOf(shared.data.downloadUrl))
    const address = (await stranger.download(tokenOf(shared.data.downloadUrl))).data.downloadUrl
    const headers = { cookie: stranger.cookie, accept: 'multipart/related; type="application/dicom"' }
    const zip = await beginReading(new URL(address).pathname)
    const images = await beginReading(`/dicom-web/shared/${data.id}/studies/${study}`, headers)
    expect([zip.status, images.status]).toEqual([200, 200])
    return { id: data.id, readings: [zip, images] }
  }
  const linkEnds: Readonly<Record<string, End>> = {
    'the link': { end: (_who, id) => admin.call(scan.revokeShare, { id }) },
    'its sender': {
      end: ({ userId }) => root.call(businessUser.deactivateUser, { id: userId }),
      undo: ({ userId }) => root.call(businessUser.activateUser, { id: userId }),
    },
    'the organization': ends['the organization is deactivated'] ?? { end: () => Promise.reject(new Error('none')) },
  }
  it.each(Object.entries(linkEnds))('by a link ends with %s', async (_what, { end, undo }) => {
    const sender = admin
    const { id, readings } = await beginByLink()
    await end(sender, id)
    for (const { rest } of readings) {
      const { bytes, isWhole } = await rest()
      expect([isWhole, bytes < total]).toEqual([false, true])
    }
    await undo?.(sender)
    admin = await server.signIn('admin')
  })

  it('is all that there is when news are about whoever has it, and end nothing', async () => {
    const { readings } = await beginByLink()
    const own = await beginReading(new URL((await admin.call(scan.download, inNorth)).data.downloadUrl).pathname)
    const accept = 'multipart/related; type="application/dicom"'
    const images = await beginReading(`/dicom-web/studies/${study}`, { ...admin.headers, accept })
    await admin.call(account.updatePreferences, { mfaEnabled: false })
    await stow(server, admin, [small('1.102.10')])
    await pause(300)
    for (const { rest } of [...readings, own, images]) {
      const { bytes, isWhole } = await rest()
      expect([isWhole, bytes > total]).toEqual([true, true])
    }
  })

  it('ends with another password, and goes on when the person signs out', async () => {
    const begin = async (who: SignedIn) =>
      beginReading(new URL((await who.call(scan.download, inNorth)).data.downloadUrl).pathname)
    const [first, second] = await Promise.all([server.signIn('admin'), server.signIn('admin')])
    const [own, stolen] = [await begin(first), await begin(second)]
    await server.call(account.logout, { refreshToken: first.tokens.refreshToken ?? '' })
    const finished = own.rest()
    const input = {
      oldPassword: demoPassword,
      newPassword: 'Another 56 passes!',
      confirmNewPassword: 'Another 56 passes!',
    }
    expect((await admin.call(account.changePassword, input)).status).toBe(200)
    expect((await stolen.rest()).isWhole).toBe(false)
    const { bytes, isWhole } = await finished
    expect([isWhole, bytes > total]).toEqual([true, true])
  })
})
