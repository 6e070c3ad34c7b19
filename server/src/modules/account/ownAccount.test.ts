import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, businessUser, organization } from '@dmp/contract'
import { demoPassword } from './demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
beforeEach(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterEach(() => server.close())

describe('changing the own password', () => {
  const change = (oldPassword: string, newPassword: string, confirmNewPassword = newPassword) =>
    staff.call(account.changePassword, { oldPassword, newPassword, confirmNewPassword })

  it('ends the other sessions and keeps this one [2.47, 7.10]', async () => {
    const other = await server.signIn('staff')
    expect((await change(demoPassword, 'Something new 1!')).status).toBe(200)
    expect((await other.call(account.profile, {})).status).toBe(401)
    expect((await staff.call(account.profile, {})).status).toBe(200)
    await expect(server.signIn('staff')).rejects.toThrow('401')
    expect((await server.signIn('staff', 'Something new 1!')).userId).toBe(staff.userId)
  })

  it.each([
    [
      'the current one is wrong',
      'not this one',
      'Something new 1!',
      undefined,
      'oldPassword',
      'This password is not correct.',
    ],
    [
      'the new one is the current one',
      demoPassword,
      demoPassword,
      undefined,
      'newPassword',
      'Please choose a password that differs from the current one.',
    ],
    [
      'the confirmation differs',
      demoPassword,
      'Something new 1!',
      'Something else 1!',
      'confirmNewPassword',
      'Please ensure the passwords match!',
    ],
    [
      'the new one breaks the rule',
      demoPassword,
      'short',
      undefined,
      'newPassword',
      expect.stringContaining('at least 12 characters long'),
    ],
  ])('is refused at the field when %s [5.01, 5.17]', async (_when, old, next, confirm, path, message) => {
    const reply = await change(old, next, confirm)
    expect(reply.status).toBe(400)
    expect(reply.fields).toContainEqual({ path, message })
  })

  it('refuses what the installation’s list of known passwords has, where a password is chosen', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dmp-list-')), 'known.txt')
    writeFileSync(file, 'letmein 12345A!\nSomething New 1!\n')
    const strict = await startServer({ DMP_REFUSED_PASSWORDS: file })
    try {
      const who = await strict.signIn('staff')
      const choose = (newPassword: string) =>
        who.call(account.changePassword, { oldPassword: demoPassword, newPassword, confirmNewPassword: newPassword })
      expect(await choose('SOMETHING new 1!')).toMatchObject({
        status: 400,
        code: 'KNOWN_PASSWORD',
        fields: [{ path: 'newPassword' }],
      })
      expect((await choose('Something newer 1!')).status).toBe(200)
    } finally {
      await strict.close()
    }
  })

  it('takes a hundred characters, and every one of them as it was typed [5.01, 9.03]', async () => {
    const long = `A long  password 1!${'x'.repeat(80)}z`
    expect(long).toHaveLength(100)
    expect((await change(demoPassword, `${long}z`)).fields?.map(({ path }) => path)).toContain('newPassword')
    expect((await change(demoPassword, long)).status).toBe(200)
    for (const other of [long.toLowerCase(), long.slice(0, -1), `${long.slice(0, -1)}y`, long.replace('  ', ' ')])
      await expect(server.signIn('staff', other)).rejects.toThrow('401')
    expect((await server.signIn('staff', long)).userId).toBe(staff.userId)
  })

  it('is as slow to guess as the sign-in [P04]', async () => {
    for (let n = 0; n < 5; n += 1) await change('wrong', 'Something new 1!')
    expect((await change(demoPassword, 'Something new 1!')).status).toBe(429)
  })

  it('repeats no password in an answer or in the log [P23]', async () => {
    const secret = 'Canary-Passw0rd!'
    const replies = [
      await change('Canary-old', secret.replace('-', '?')),
      await change(demoPassword, 'canary'),
      await server.call(account.login, { ClientId: 'dmp-web', email: 'x', password: secret }),
    ]
    const said = replies.map((reply) => reply.raw.body).join('') + server.logs.join('')
    expect(said.toLowerCase()).not.toContain('canary')
  })
})

describe('preferences', () => {
  it('switch the second step on at once, and off only with the password [2.46, 3.03, 7.12, 7.13]', async () => {
    expect((await staff.call(account.getPreferences, {})).data).toEqual({ mfaEnabled: false })
    expect((await staff.call(account.updatePreferences, { mfaEnabled: true })).data).toEqual({ mfaEnabled: true })
    const next = await server.call(account.login, {
      ClientId: 'dmp-web',
      email: 'staff@north.example',
      password: demoPassword,
    })
    expect(next.data.challengeName).toBe('MFA')
    expect(await staff.call(account.updatePreferences, { mfaEnabled: false })).toMatchObject({
      status: 400,
      code: 'PASSWORD_NEEDED',
    })
    expect(await staff.call(account.updatePreferences, { mfaEnabled: false, password: 'wrong' })).toMatchObject({
      status: 400,
      code: 'WRONG_PASSWORD',
    })
    expect((await staff.call(account.getPreferences, {})).data).toEqual({ mfaEnabled: true })
    // Nothing is taken away by saying again how it is.
    expect((await staff.call(account.updatePreferences, { mfaEnabled: true })).data).toEqual({ mfaEnabled: true })
    expect((await staff.call(account.updatePreferences, { mfaEnabled: false, password: demoPassword })).data).toEqual({
      mfaEnabled: false,
    })
    expect((await staff.call(account.updatePreferences, { mfaEnabled: false })).data).toEqual({ mfaEnabled: false })
  })
})

describe('other calls of the own account', () => {
  it('answer the address of the instructions for use [2.41, 7.14]', async () => {
    expect((await staff.call(account.getIFU, {})).data).toBe(server.deps.settings.ifuLink)
  })

  it('name the sessions as people know them', async () => {
    const userAgent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
    await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
      { headers: { 'user-agent': userAgent }, remoteAddress: '10.1.2.3' },
    )
    const { data } = await staff.call(account.listSessions, {})
    // The one that was seen last stands first.
    expect(data.map(({ device, address, isCurrent }) => [device, address, isCurrent])).toEqual([
      ['Chrome on Windows', '10.1.2.3', false],
      [expect.any(String), expect.any(String), true],
    ])
  })

  it.each([
    ['dmp-uploader/1.1.0', 'Uploader'],
    ['curl/8.5 (Linux)', 'Linux'],
    ['something', 'Unknown app'],
    ['dmp-uploader/1.1.0 (Windows)', 'Uploader on Windows'],
  ])('name what calls itself %s as %s', async (userAgent, device) => {
    await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
      { headers: { 'user-agent': userAgent }, remoteAddress: '10.1.2.3' },
    )
    expect((await staff.call(account.listSessions, {})).data[0]).toMatchObject({ device, address: '10.1.2.3' })
  })

  it('show where each was seen last, which is not where it signed in', async () => {
    const { data: tokens } = await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: demoPassword },
      { remoteAddress: '10.1.2.4' },
    )
    const renewal = { clientId: 'dmp-web', refreshToken: tokens.refreshToken }
    expect((await server.call(account.renewToken, renewal, { remoteAddress: '10.9.8.7' })).status).toBe(200)
    const addresses = (await staff.call(account.listSessions, {})).data.map(({ address }) => address)
    expect([addresses[0], addresses.includes('10.1.2.4')]).toEqual(['10.9.8.7', false])
  })

  it('show the profile without anything that is not declared [3.04, P03]', async () => {
    const { data } = await staff.call(account.profile, {})
    expect(Object.keys(data).sort()).toEqual(
      [
        'civility',
        'createdDate',
        'email',
        'fax',
        'firstName',
        'fullName',
        'id',
        'isConfirmed',
        'landline',
        'lastName',
        'mobile',
        'organization',
        'organizationId',
        'policy',
        'role',
        'status',
        'updatedDate',
        'userName',
      ].sort(),
    )
  })

  it('show a change of the own profile at once [2.46, 4.15, 7.16]', async () => {
    const { data } = await staff.call(businessUser.updateProfile, {
      civility: 'Dr',
      firstName: 'Noa',
      lastName: 'Weber',
      mobile: '',
      landline: '+49 30 1',
      fax: null,
    })
    expect(data).toMatchObject({ fullName: 'Dr Noa Weber', mobile: null, landline: '+49 30 1' })
    expect((await staff.call(account.profile, {})).data.fullName).toBe('Dr Noa Weber')
    const root = await server.signIn('super_admin')
    await root.call(organization.update, { id: data.organizationId, updatedOrganizationName: 'Far-North-Clinic' })
    expect((await staff.call(account.profile, {})).data.organization.name).toBe('Far-North-Clinic')
  })
})
