import * as v from 'valibot'
import { calls } from './calls.ts'
import * as examples from './examples/index.ts'
import {
  NewPassword,
  Phone,
  account,
  audit,
  businessUser,
  complaint,
  organization,
  organizationName,
  permits,
  personName,
  policyActions,
  registration,
  roleNames,
  scan,
} from './index.ts'
import { isEndpoint } from './endpoint.ts'
import { parseOverride } from './override.ts'
import { toPolicy } from './policy.ts'
import { isFor, isUnder, navigationFor, getRoute, type NavigationEntry } from './remote.ts'
import { RuntimeSettings } from './settings.ts'

const keys = (schema: unknown): string[] => {
  const entries = (schema as { entries?: Record<string, unknown> } | undefined)?.entries
  return entries ? Object.keys(entries) : []
}

describe('calls', () => {
  it.each(calls.map((call) => [call.name, call] as const))(
    '%s keeps params, query and body apart [7.01]',
    (_name, call) => {
      const { params, query, body, path } = call.definition
      const all = [...keys(params), ...keys(query), ...keys(body)]
      expect(new Set(all).size).toBe(all.length)
      expect([...path.matchAll(/:(\w+)/g)].map((match) => match[1])).toEqual(keys(params))
    },
  )

  it('has one call for each method and path, whatever the case [7.01]', () => {
    const names = calls.map((call) => call.name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  })

  it('needs only actions that a policy can list [6.02, 6.03]', () => {
    for (const call of calls) {
      const { needs } = call.definition
      if (typeof needs !== 'string') expect(policyActions[needs.module]).toContain(needs.action)
    }
  })
})

describe('what a module exports', () => {
  it('is a call, or something else that is not taken for one [7.01]', () => {
    expect([account.login, { kind: 'schema' }, {}, null, undefined, 'endpoint'].map(isEndpoint)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('what a remote declares', () => {
  const entry = (alias: string, order: number, more: Partial<NavigationEntry> = {}): NavigationEntry => ({
    alias,
    routerLink: `/${alias.toLowerCase()}`,
    fontAwesomeClass: 'fa',
    frontEndModule: true,
    order,
    ...more,
  })

  it('is shown in order, to those whose policy has it, as far as it is a front-end module [2.32, 2.33]', () => {
    const navigation = [
      entry('Third', 3),
      entry('Hidden', 1, { frontEndModule: false }),
      entry('First', 1, { module: 'Scan' }),
      entry('Second', 2, { module: 'Scan', action: 'Upload' }),
      entry('Never', 1, { module: 'Audit' }),
    ]
    const seen = (policy: Parameters<typeof navigationFor>[1]) =>
      navigationFor([{ navigation }], policy).map(({ alias }) => alias)
    expect(seen([{ module: 'Scan', actions: ['Upload'] }])).toEqual(['First', 'Second', 'Third'])
    expect(seen([{ module: 'Scan', actions: ['List'] }])).toEqual(['First', 'Third'])
    expect([isFor([], 'session'), isFor([], { module: 'Scan' }), isFor([], {})]).toEqual([true, false, true])
  })

  it('owns what is below its prefix, and the longest prefix wins [2.31]', () => {
    expect(['/scan', '/Scan/detail', '/scanner', '/'].map((path) => isUnder(path, '/scan'))).toEqual([
      true,
      true,
      false,
      false,
    ])
    const owner = (name: string, ...prefixes: string[]) => ({
      name,
      routes: prefixes.map((prefix) => ({ prefix, guard: 'session' as const })),
    })
    const all = [owner('scan', '/scan'), owner('share', '/scan/share', '/x')]
    expect(['/scan/share/1', '/scan/detail', '/y'].map((path) => getRoute(all, path)?.owner.name)).toEqual([
      'share',
      'scan',
      undefined,
    ])
  })

  it('is overridden by the name of the part, in full or short', () => {
    const read = (text: string) => parseOverride(text)?.part
    expect(['host@1.0.0', 'viewer@1.0.0', 'remote-scan@1.0.0', 'scan@1.0.0'].map(read)).toEqual([
      'host',
      'viewer',
      'remote-scan',
      'remote-scan',
    ])
    expect(['scan@anything', '-@1.0.0', 'scan'].map(read)).toEqual([undefined, undefined, undefined])
  })
})

describe('permits', () => {
  it('allows what the policy lists and nothing else [6.02]', () => {
    const staff = toPolicy('staff')
    expect(permits(staff, scan.list.definition.needs)).toBe(true)
    expect(permits(staff, scan.remove.definition.needs)).toBe(false)
    expect(permits([], complaint.list.definition.needs)).toBe(false)
    expect(permits([], account.profile.definition.needs)).toBe(true)
  })

  it('keeps deleting, downloading and deactivating organizations from sys_admin [6.01, 6.05, 6.06]', () => {
    const policy = toPolicy('sys_admin')
    expect(
      [scan.remove, scan.download, organization.deactivate].map((call) => permits(policy, call.definition.needs)),
    ).toEqual([false, false, false])
    expect(permits(policy, organization.activate.definition.needs)).toBe(true)
  })

  it('has a policy for every role [6.01]', () => {
    for (const role of roleNames) expect(toPolicy(role).length).toBeGreaterThan(0)
  })
})

describe('field rules', () => {
  const ok = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success

  it.each([
    ['Valid-Passw0rd!'.replace('-', ''), true],
    ['Short1!aA', false],
    ['nouppercase1!aa', false],
    ['NOLOWERCASE1!AA', false],
    ['NoDigitsHere!!aa', false],
    ['NoSpecial123456', false],
    [' LeadingSpace1!a', false],
    ['TrailingSpace1!a ', false],
    ['Inner Space Passw0rd', true],
    ['Umlaut-äPassw0rd!', false],
    ['A1!a'.repeat(26), false],
  ])('new password %j is accepted: %s [5.01]', (text, accepted) => expect(ok(NewPassword, text)).toBe(accepted))

  it.each([
    ['+49 30-1234', true],
    ['', true],
    [null, true],
    ['12345678901234567', false],
    ['12a', false],
  ])('phone %j is accepted: %s [5.05]', (text, accepted) => expect(ok(Phone, text)).toBe(accepted))
  it.each([
    ['Anna-Maria 2', true],
    ['', false],
    ['x'.repeat(31), false],
    ['O;Neill', false],
    ['   ', false],
  ])('first name %j is accepted: %s [5.06]', (text, accepted) =>
    expect(ok(personName('Please enter a first name.'), text)).toBe(accepted),
  )
  it.each([
    ['North-Clinic_1', true],
    ['North Clinic', false],
    ['', false],
    ['x'.repeat(256), false],
  ])('organization name %j is accepted: %s [5.11, 5.12]', (text, accepted) =>
    expect(ok(organizationName('Please enter an organization name.'), text)).toBe(accepted),
  )

  it.each([
    ['+49 30 ', '+49 30'],
    ['  ', null],
    ['', null],
    [null, null],
  ])('phone %j is kept as %j [5.05]', (text, kept) => expect(v.parse(Phone, text)).toBe(kept))

  it.each([
    [
      'reset',
      account.ResetPasswordForm,
      (newPassword: string, confirmPassword: string) => ({ newPassword, confirmPassword }),
    ],
    [
      'first',
      account.SetNewPasswordForm,
      (newPassword: string, confirmPassword: string) => ({ newPassword, confirmPassword, terms: true }),
    ],
    [
      'changed',
      account.ChangePasswordForm,
      (newPassword: string, confirmNewPassword: string) => ({ oldPassword: 'x', newPassword, confirmNewPassword }),
    ],
    [
      'forgotten',
      account.resetForgotPassword.definition.body,
      (NewPassword: string, ConfirmNewPassword: string) => ({
        UserId: 'ada',
        ConfirmationCode: 'x',
        NewPassword,
        ConfirmNewPassword,
        ClientId: 'dmp-web',
      }),
    ],
  ])('a %s password is typed twice alike [5.01]', (_which, form, typed) => {
    const said = (again: string) =>
      v.safeParse(form as v.GenericSchema, typed('Valid1Passw0rd!', again)).issues?.map(({ message }) => message)
    expect([said('Valid1Passw0rd!'), said('Other1Passw0rd!')]).toEqual([
      undefined,
      ['Please ensure the passwords match!'],
    ])
  })

  it('says the words of the specification and never what was typed [5.17]', () => {
    const result = v.safeParse(account.SetNewPasswordForm, {
      newPassword: 'hunter2-secret',
      confirmPassword: 'x',
      terms: false,
    })
    const said = JSON.stringify(result.issues?.map((issue) => issue.message))
    expect(said).toContain('Password should not start or end with spaces')
    expect(said).toContain('This field is required!')
    expect(said).not.toContain('hunter2')
  })

  it('says that the passwords differ also while another field is empty [5.01]', () => {
    const result = v.safeParse(account.ChangePasswordForm, {
      oldPassword: '',
      newPassword: 'Valid1Passw0rd!',
      confirmNewPassword: 'Other1Passw0rd!',
    })
    expect(result.issues?.map((issue) => issue.message)).toContain('Please ensure the passwords match!')
  })

  it('refuses what it does not know', () => {
    expect(ok(businessUser.add.definition.body, { ...examples.aUser(), isAdmin: true })).toBe(false)
    expect(ok(complaint.StatusChange, { statusId: examples.anId(1), comment: 'x', extra: 1 })).toBe(false)
  })

  it('wants a comment that says something [5.10]', () =>
    expect(ok(complaint.StatusChange, { statusId: examples.anId(1), comment: '   ' })).toBe(false))
  it('shares for one to seven whole days [5.13, 9.04]', () => {
    expect([0, 1, 7, 8, 1.5].map((expireInDay) => ok(scan.ShareForm, { expireInDay }))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ])
  })
  it('deletes only after the exact phrase [5.15]', () => {
    expect(
      ['permanently delete', 'Permanently delete', 'permanently delete ', ''].map((phrase) =>
        ok(scan.DeleteForm, { phrase }),
      ),
    ).toEqual([true, false, false, false])
  })
})

describe('examples', () => {
  it.each([
    ['user', (): unknown => examples.aUser('admin'), account.profile.definition.answer],
    ['sign-in', () => examples.someLoginTokens(), account.LoginTokens],
    ['challenge', () => examples.aChallenge('MFA'), account.LoginTokens],
    ['session', () => examples.aSessionRow(), account.SessionRow],
    ['complaint', () => examples.aComplaint(), complaint.Complaint],
    ['organization', () => examples.anOrganization(), organization.Organization],
    ['registration', () => examples.aRegistration(), registration.Registration],
    ['scan row', () => examples.aScanRow(), scan.ScanRow],
    ['scan', () => examples.aScan(), scan.Scan],
    ['share link', () => examples.aShareLink(), scan.ShareLink],
    ['transfer', () => examples.aTransfer(), scan.Transfer],
    ['audit row', () => examples.anAuditDetail(), audit.AuditDetail],
    ['settings', () => examples.someSettings(), RuntimeSettings],
  ] as const)('%s is valid by its schema', (_name, make, schema) => {
    expect(v.parse(schema as v.GenericSchema, make())).toEqual(make())
  })
})
