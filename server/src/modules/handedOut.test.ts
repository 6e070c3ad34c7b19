import { account, apiToken, businessUser, organization, scan } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import type { Access } from '../core/access.ts'
import { startServerWithDoors, type Door } from '../testing/doors.ts'
import type { TestServer } from '../testing/server.ts'
import { demoPassword } from './account/demoAccounts.ts'
import {
  email,
  ofTheAccount,
  ofTheLink,
  ofTheMachine,
  ofTheSession,
  startPerson,
  type Person,
} from './handedOutInTests.ts'

/** What was handed out dies with its right: one table of what there is, and one of how rights end. */
const all = { ...ofTheSession, ...ofTheMachine, ...ofTheLink, ...ofTheAccount }
const names = {
  session: Object.keys(ofTheSession),
  account: Object.keys(ofTheAccount),
  link: Object.keys(ofTheLink),
  machine: Object.keys(ofTheMachine),
}

const newPassword = 'Another one 12!'
const ends: Readonly<
  Record<string, { dies: readonly (keyof typeof names)[]; end(server: TestServer, person: Person): Promise<unknown> }>
> = {
  nothing: { dies: [], end: async () => undefined },
  'the person signs out': {
    dies: ['session'],
    end: (server, { tokens }) => server.call(account.logout, { refreshToken: tokens.refreshToken ?? '' }),
  },
  'the person signs it out from elsewhere': {
    dies: ['session'],
    end: async (server) => (await server.signIn(email)).call(account.signOutOthers, {}),
  },
  'the password is changed elsewhere': {
    dies: ['session', 'account'],
    end: async (server) =>
      (await server.signIn(email)).call(account.changePassword, {
        oldPassword: demoPassword,
        newPassword,
        confirmNewPassword: newPassword,
      }),
  },
  'the password is reset': {
    dies: ['session', 'account'],
    end: async (server, { userId }) => {
      await server.deps.db.deleteFrom('mails').execute()
      await server.call(account.forgotPassword, { Email: email, ClientId: 'dmp-web' })
      const ConfirmationCode = (await server.mailTo(email)).links[0]?.split('/').at(-1) ?? ''
      const passwords = { NewPassword: newPassword, ConfirmNewPassword: newPassword }
      const input = { UserId: userId, ConfirmationCode, ...passwords, ClientId: 'dmp-web' }
      return server.call(account.resetForgotPassword, input)
    },
  },
  'the person is deactivated': {
    dies: ['session', 'account', 'link', 'machine'],
    end: async (server, { userId }) =>
      (await server.signIn('super_admin')).call(businessUser.deactivateUser, { id: userId }),
  },
  'the organization is deactivated': {
    dies: ['session', 'account', 'link', 'machine'],
    end: async (server) => (await server.signIn('super_admin')).call(organization.deactivate, { id: southClinic.id }),
  },
  'the API tokens are ended': {
    dies: ['machine'],
    end: async (server, person) => {
      const tokens = await server.deps.db.selectFrom('api_tokens').select('id').execute()
      for (const { id } of tokens) expect((await person.call(apiToken.end, { id })).status).toBe(200)
      return { status: 200 }
    },
  },
  'the links are revoked': {
    dies: ['link'],
    end: async (server, person) => {
      const links = await server.deps.db.selectFrom('scan_shares').select('id').execute()
      for (const { id } of links) expect((await person.call(scan.revokeShare, { id })).status).toBe(200)
      return { status: 200 }
    },
  },
}

let server: TestServer
let doors: readonly Door[]
beforeEach(async () => {
  ;({ server, doors } = await startServerWithDoors())
})
afterEach(() => server.close())

it.each(Object.entries(ends))(
  'what was handed out opens exactly as long as its right lasts, when the end is: %s [P08, P25]',
  async (_what, { dies, end }) => {
    const person = await startPerson(server)
    const handedOut: [string, () => Promise<boolean>][] = []
    for (const [name, handOut] of Object.entries(all)) handedOut.push([name, await handOut(server, person)])
    const ended = await end(server, person)
    if (ended !== undefined) expect(ended).toMatchObject({ status: 200 })
    const opens: [string, boolean][] = []
    for (const [name, isOpen] of handedOut) opens.push([name, await isOpen()])
    const dead = new Set(dies.flatMap((kind) => names[kind]))
    expect(opens).toEqual(handedOut.map(([name]) => [name, !dead.has(name)]))
  },
)

it('names what opens each kind of door that there is', () => {
  const inTable: Readonly<Record<Access['secret'], string>> = {
    none: 'nothing',
    token: 'the access token',
    'token or launch cookie': 'the launch cookie',
    'session cookie': 'the address and the cookie of a launch',
    'share cookie': 'the cookie of somebody who opened a share link',
    address: 'the address of a download',
    // The lines that it opens are closed at once (liveChannel.test.ts).
    'first message': 'the access token',
  }
  for (const { access } of doors) expect(['nothing', ...Object.keys(all)]).toContain(inTable[access.secret])
  expect(new Set(doors.map(({ access }) => access.secret)).size).toBe(Object.keys(inTable).length)
})
