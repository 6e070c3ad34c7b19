import { randomUUID } from 'node:crypto'
import { account, businessUser, organization, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { openLive } from '../../testing/live.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { roleIds } from '../../identity/roles.ts'
import { doTransfer } from '../scan/transfer/transferRunner.ts'

/**
 * What a deactivated organization means (4.03, 1.05): every door that its people, its links or its apps came in by, one
 * test each.
 */
let server: TestServer
let url: string
let root: SignedIn
const inSouth = { organizationId: southClinic.id, seriesUID: '1.77.1' }
const object = (uid: string) =>
  dicomFile({
    elements: slice({ '00080018': text('UI', uid), '0020000D': text('UI', '1.77'), '0020000E': text('UI', '1.77.1') }),
  })
const contact = { civility: 'Ms', firstName: 'Dora', lastName: 'Door', mobile: null, landline: null, fax: null }
/** What was opened while the organization was still activated. */
let held: {
  admin: SignedIn
  mfa: { session: string; userId: string; code: string }
  resetCode: string
  temporary: string
  share: string
  download: string
  cookie: string
  tusPath: string
  live: Promise<{ reason: string }>
  invitedId: string
  transfers: string[]
}

const tus = { 'tus-resumable': '1.0.0' }
const queued = async (from: string, to: string, userId: string): Promise<string> => {
  const { db } = server.deps
  const { id } = await db
    .insertInto('transfers')
    .values({
      organization_id: from,
      destination_id: to,
      destination_name: 'x',
      anonymize: true,
      secret: Buffer.alloc(32, 7),
      user_id: userId,
      state: 'Queued',
      finished_date: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('transfer_scans')
    .values({
      transfer_id: id,
      position: 0,
      study_uid: '1.77',
      series_uid: '1.77.1',
      new_series_uid: null,
      state: 'Queued',
      message: null,
      images: 1,
      report: null,
    })
    .execute()
  return id
}

beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
  const { db } = server.deps
  root = await server.signIn('super_admin')
  const admin = await server.signIn('admin@south.example')
  expect((await stow(server, admin, [object('1.77.1.1')])).statusCode).toBe(200)

  const invite = async (email: string) =>
    (
      await admin.call(businessUser.add, {
        ...contact,
        email,
        userName: email,
        organizationId: southClinic.id,
        roleId: roleIds.staff,
      })
    ).data.id
  const invitedId = await invite('dora@south.example')
  const temporary = (await server.mailTo('dora@south.example')).code ?? ''
  await invite('mia@south.example')
  await db
    .updateTable('users')
    .set({
      mfa_enabled: true,
      temporary_until: null,
      is_confirmed: true,
      password_hash: (
        await db
          .selectFrom('users')
          .select('password_hash')
          .where('email', '=', 'admin@south.example')
          .executeTakeFirstOrThrow()
      ).password_hash,
    })
    .where('email', '=', 'mia@south.example')
    .execute()
  await db.deleteFrom('mails').execute()
  const challenge = (
    await server.call(account.login, { ClientId: 'dmp-web', email: 'mia@south.example', password: demoPassword })
  ).data
  const code = (await server.mailTo('mia@south.example')).code ?? ''
  await server.call(account.forgotPassword, { Email: 'admin@south.example', ClientId: 'dmp-web' })
  const resetCode = (await server.mailTo('admin@south.example')).links[0]?.split('/').at(-1) ?? ''

  const share =
    (await admin.call(scan.share, { ...inSouth, expireInDay: 1, password: null, maxUses: null })).data.downloadUrl
      .split('/')
      .at(-1) ?? ''
  const download = new URL((await admin.call(scan.download, inSouth)).data.downloadUrl).pathname
  const imageSetID = (
    await db.selectFrom('series').select('image_set_id').where('series_uid', '=', '1.77.1').executeTakeFirstOrThrow()
  ).image_set_id
  const launched = await server.app.inject({
    method: 'POST',
    url: '/launch',
    headers: admin.headers,
    payload: { imageSetID },
  })
  const cookie = `dmp-launch=${launched.cookies.find(({ name }) => name === 'dmp-launch')?.value ?? ''}`
  expect((await server.app.inject({ url: '/dicom-web/studies/1.77/series', headers: { cookie } })).statusCode).toBe(200)
  const begun = await fetch(`${url}/api/Scan/uploads`, {
    method: 'POST',
    headers: { ...tus, ...admin.headers, 'upload-length': String(object('1.77.1.2').length) },
  })
  const channel = await openLive(url, {
    sessionId: randomUUID(),
    clientId: 'dmp-web',
    accessToken: admin.tokens.accessToken ?? '',
  })
  await channel.next()
  const transfers = [
    await queued(southClinic.id, northClinic.id, admin.userId),
    await queued(northClinic.id, southClinic.id, root.userId),
  ]

  held = {
    admin,
    mfa: { session: challenge.session ?? '', userId: challenge.userId ?? '', code },
    resetCode,
    temporary,
    share,
    download,
    cookie,
    tusPath: begun.headers.get('location') ?? '',
    live: channel.closed,
    invitedId,
    transfers,
  }
  expect((await root.call(organization.deactivate, { id: southClinic.id })).status).toBe(200)
})
afterAll(() => server.close())

describe('whoever belongs to a deactivated organization', () => {
  it('is signed out at once, and does not renew [4.03, P08]', async () => {
    expect((await held.admin.call(account.profile, {})).status).toBe(401)
    expect(
      (
        await server.call(account.renewToken, {
          clientId: 'dmp-web',
          refreshToken: held.admin.tokens.refreshToken ?? '',
        })
      ).status,
    ).toBe(401)
  })
  it('loses the live channel [4.14, P11]', async () => {
    expect((await held.live).reason).toMatch(/^app-/)
  })
  it('does not sign in by password, nor by the code or the temporary password that was mailed before [4.03]', async () => {
    expect(
      (await server.call(account.login, { ClientId: 'dmp-web', email: 'admin@south.example', password: demoPassword }))
        .status,
    ).toBe(401)
    expect(
      (
        await server.call(account.respondToMFA, {
          clientId: 'dmp-web',
          session: held.mfa.session,
          userId: held.mfa.userId,
          mfaCode: held.mfa.code,
        })
      ).status,
    ).toBe(401)
    expect(
      (await server.call(account.login, { ClientId: 'dmp-web', email: 'dora@south.example', password: held.temporary }))
        .status,
    ).toBe(401)
  })
  it('does not sign in the uploader either [1.07, 4.03]', async () => {
    expect(
      (
        await server.call(account.login, {
          ClientId: 'dmp-uploader',
          email: 'admin@south.example',
          password: demoPassword,
        })
      ).status,
    ).toBe(401)
  })
  it('chooses no new password by a link that was mailed before, and gets no new link [4.03, P06]', async () => {
    const reply = await server.call(account.resetForgotPassword, {
      UserId: held.admin.userId,
      ConfirmationCode: held.resetCode,
      NewPassword: 'Another one 12!',
      ConfirmNewPassword: 'Another one 12!',
      ClientId: 'dmp-web',
    })
    expect([reply.status, reply.code]).toEqual([400, 'LINK_OVER'])
    await server.deps.db.deleteFrom('mails').execute()
    expect(
      (await server.call(account.forgotPassword, { Email: 'admin@south.example', ClientId: 'dmp-web' })).status,
    ).toBe(200)
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    await server.mailTo('staff@north.example')
    expect(
      await server.deps.db.selectFrom('mails').select('id').where('recipient', '=', 'admin@south.example').execute(),
    ).toEqual([])
  })
})

describe('what was opened before', () => {
  it('a share link tells and opens nothing, as if it had never been [4.03, P25]', async () => {
    const unknown = await server.call(scan.getShared, { token: 'x'.repeat(held.share.length) })
    const reply = await server.call(scan.getShared, { token: held.share })
    expect([reply.status, reply.message]).toEqual([404, unknown.message])
    expect((await server.call(scan.openShared, { token: held.share, password: null })).status).toBe(404)
  })
  it('a download address does not open [4.03]', async () => {
    expect((await server.app.inject({ url: held.download })).statusCode).toBe(404)
  })
  it("the viewer's cookie reads nothing [4.03, 7.42]", async () => {
    expect(
      (await server.app.inject({ url: '/dicom-web/studies/1.77/series', headers: { cookie: held.cookie } })).statusCode,
    ).toBe(401)
  })
  it('an upload that had begun does not go on [4.03]', async () => {
    const reply = await fetch(url + held.tusPath, {
      method: 'PATCH',
      headers: {
        ...tus,
        ...held.admin.headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(object('1.77.1.2')),
    })
    expect(reply.status).toBe(401)
    expect((await stow(server, held.admin, [object('1.77.1.3')])).statusCode).toBe(401)
  })
  it('a transfer that waited fails with its reason, out of it as into it [4.03]', async () => {
    const messages = []
    for (const id of held.transfers) {
      await doTransfer(server.deps, { id, signal: new AbortController().signal } as Parameters<typeof doTransfer>[1])
      messages.push(
        await server.deps.db
          .selectFrom('transfer_scans')
          .select(['state', 'message'])
          .where('transfer_id', '=', id)
          .executeTakeFirstOrThrow(),
      )
    }
    expect(messages).toEqual([
      {
        state: 'Failed',
        message: 'The organization that the scan belongs to was deactivated. Nothing of this scan was transferred.',
      },
      { state: 'Failed', message: 'The destination cannot receive scans anymore.' },
    ])
    expect(
      await server.deps.db
        .selectFrom('series')
        .select('series_uid')
        .where('source', '=', 'Transfer')
        .where('organization_id', '=', northClinic.id)
        .execute(),
    ).toEqual([])
  })
})

describe("the provider's staff", () => {
  it('still look at its scans, and neither share, download, transfer nor upload [4.03]', async () => {
    expect((await root.call(scan.get, inSouth)).status).toBe(200)
    const replies = [
      await root.call(scan.share, { ...inSouth, expireInDay: 1, password: null, maxUses: null }),
      await root.call(scan.download, inSouth),
      await root.call(scan.transfer, {
        organizationId: southClinic.id,
        scans: [{ studyUID: '1.77', seriesUID: '1.77.1' }],
        dstOrganizationName: 'North-Clinic',
        anonymize: true,
      }),
    ]
    for (const reply of replies)
      expect([reply.status, reply.code, reply.message]).toEqual([
        409,
        'ORGANIZATION_DEACTIVATED',
        expect.stringContaining('is deactivated'),
      ])
    expect(
      (await stow(server, root, [object('1.77.1.4')], `/dicom-web/studies?organizationId=${southClinic.id}`))
        .statusCode,
    ).toBe(409)
    const begun = await fetch(`${url}/api/Scan/uploads?organizationId=${southClinic.id}`, {
      method: 'POST',
      headers: { ...tus, ...root.headers, 'upload-length': '100' },
    })
    expect(begun.status).toBe(409)
  })
  it('cannot transfer into it, and its name tells no more than one that does not exist [5.12, P02]', async () => {
    const ask = async (name: string) =>
      (await root.call(scan.findDestination, { name })).raw.body.replace(/"requestId":"[^"]*"/, '')
    expect(await ask('South-Clinic')).toBe(await ask('No-Such-Clinic'))
  })
  it('add nobody to it and send nobody of it a password [2.62, 6.07]', async () => {
    const add = await root.call(businessUser.add, {
      ...contact,
      email: 'late@south.example',
      userName: 'late@south.example',
      organizationId: southClinic.id,
      roleId: roleIds.staff,
    })
    const reset = await root.call(businessUser.resetTemporaryPassword, { id: held.invitedId })
    for (const reply of [add, reset]) expect([reply.status, reply.code]).toEqual([409, 'ORGANIZATION_DEACTIVATED'])
  })
  it('do not find it among the activated ones [6.05, 7.28]', async () => {
    expect((await root.call(organization.listActivated, {})).data.map(({ name }) => name)).not.toContain('South-Clinic')
  })
  it('send its people no terms [7.20]', async () => {
    await server.deps.db.deleteFrom('mails').execute()
    expect(
      (await root.call(businessUser.sendUpdatedTermsOfUse, { termsLink: server.deps.settings.termsLink })).status,
    ).toBe(200)
    await server.mailTo('staff@north.example')
    expect(
      await server.deps.db.selectFrom('mails').select('id').where('recipient', 'like', '%@south.example').execute(),
    ).toEqual([])
  })
  it('let it in again by activating it; who was signed out stays so until they sign in [4.03]', async () => {
    expect((await root.call(organization.activate, { id: southClinic.id })).status).toBe(200)
    expect((await held.admin.call(account.profile, {})).status).toBe(401)
    expect((await (await server.signIn('admin@south.example')).call(scan.get, inSouth)).status).toBe(200)
    expect((await server.call(scan.getShared, { token: held.share })).status).toBe(200)
  })
})
