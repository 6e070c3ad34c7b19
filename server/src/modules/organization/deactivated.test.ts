import { account, businessUser, organization, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { runTransfer } from '../scan/transfer/transferRunner.ts'
import { contact, inSouth, object, openDoors, tus, type Doors } from './deactivatedInTests.ts'

/** 4.03, 1.05: one test for each way in that the people, links and apps of a deactivated organization had. */
let server: TestServer
let url: string
let root: SignedIn
let doors: Doors

beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
  root = await server.signIn('super_admin')
  doors = await openDoors(server, url, root)
  expect((await root.call(organization.deactivate, { id: southClinic.id })).status).toBe(200)
})
afterAll(() => server.close())

describe('whoever belongs to a deactivated organization', () => {
  it('is signed out at once, and does not renew [4.03, P08]', async () => {
    expect((await doors.admin.call(account.profile, {})).status).toBe(401)
    expect(
      (
        await server.call(account.renewToken, {
          clientId: 'dmp-web',
          refreshToken: doors.admin.tokens.refreshToken ?? '',
        })
      ).status,
    ).toBe(401)
  })
  it('loses the live channel [4.14, P11]', async () => {
    expect((await doors.live).reason).toMatch(/^app-/)
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
          session: doors.mfa.session,
          userId: doors.mfa.userId,
          mfaCode: doors.mfa.code,
        })
      ).status,
    ).toBe(401)
    expect(
      (
        await server.call(account.login, {
          ClientId: 'dmp-web',
          email: 'dora@south.example',
          password: doors.temporary,
        })
      ).status,
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
      UserId: doors.admin.userId,
      ConfirmationCode: doors.resetCode,
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
    const unknown = await server.call(scan.getShared, { token: 'x'.repeat(doors.share.length) })
    const reply = await server.call(scan.getShared, { token: doors.share })
    expect([reply.status, reply.message]).toEqual([404, unknown.message])
    expect((await server.call(scan.openShared, { token: doors.share, password: null })).status).toBe(404)
  })
  it('a download address does not open [4.03]', async () => {
    expect((await server.app.inject({ url: doors.download })).statusCode).toBe(404)
  })
  it("the viewer's cookie reads nothing [4.03, 7.42]", async () => {
    expect(
      (await server.app.inject({ url: '/dicom-web/studies/1.77/series', headers: { cookie: doors.cookie } }))
        .statusCode,
    ).toBe(401)
  })
  it('an upload that had begun does not go on [4.03]', async () => {
    const reply = await fetch(url + doors.tusPath, {
      method: 'PATCH',
      headers: {
        ...tus,
        ...doors.admin.headers,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(object('1.77.1.2')),
    })
    expect(reply.status).toBe(401)
    expect((await stow(server, doors.admin, [object('1.77.1.3')])).statusCode).toBe(401)
  })
  it('a transfer that waited fails with its reason, out of it as into it [4.03]', async () => {
    const messages = []
    for (const id of doors.transfers) {
      await runTransfer(server.deps, { id, signal: new AbortController().signal } as Parameters<typeof runTransfer>[1])
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
        message: 'The organization of this scan was deactivated. The scan was not transferred.',
      },
      { state: 'Failed', message: 'The destination can no longer receive scans.' },
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
    const reset = await root.call(businessUser.resetTemporaryPassword, { id: doors.invitedId })
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
    expect((await doors.admin.call(account.profile, {})).status).toBe(401)
    expect((await (await server.signIn('admin@south.example')).call(scan.get, inSouth)).status).toBe(200)
    expect((await server.call(scan.getShared, { token: doors.share })).status).toBe(200)
  })
})
