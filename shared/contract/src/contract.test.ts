import * as v from 'valibot'
import { calls } from './calls.ts'
import * as examples from './examples/index.ts'
import {
  account,
  activationMayFollow,
  apiToken,
  audit,
  changes,
  complaint,
  dicomPartner,
  organization,
  permits,
  policyActions,
  registration,
  roleNames,
  scan,
  station,
  webhook,
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

interface AnySchema {
  readonly type?: string
  readonly pipe?: readonly AnySchema[]
  readonly entries?: Readonly<Record<string, AnySchema>>
  readonly item?: AnySchema
  readonly wrapped?: AnySchema
  readonly items?: readonly AnySchema[]
  readonly options?: readonly (AnySchema | string)[]
}
const leaves = new Set(['string', 'number', 'boolean', 'picklist', 'literal', 'null', 'undefined'])

/** Where a schema takes properties that it does not name, or values of any kind. */
function listOpen(schema: unknown, path: string): string[] {
  if (schema === undefined) return []
  const { type = '', pipe, entries = {}, item, wrapped, items, options } = schema as AnySchema
  if (pipe?.[0]?.pipe) return listOpen(pipe[0], path)
  if (leaves.has(type)) return []
  if (type === 'strict_object')
    return Object.entries(entries).flatMap(([name, entry]) => listOpen(entry, `${path}.${name}`))
  const inner = [item, wrapped, ...(items ?? []), ...(options ?? [])].filter((each) => typeof each === 'object')
  return inner.length > 0 ? inner.flatMap((each) => listOpen(each, path)) : [path]
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

  it.each(calls.map((call) => [call.name, call] as const))(
    '%s takes nothing that it does not name, however deep [P16, P68]',
    (_name, { definition: { params, query, body } }) => {
      const open = [params, query, body].flatMap((schema) => listOpen(schema, ''))
      // Objects whose names are what the caller says: of a release's record.
      expect(
        open.filter(
          (path) => !/^\.record\.(?:declaration\.firstCalls\.input|chunks|uses|provides|consumes)$/.test(path),
        ),
      ).toEqual([])
    },
  )

  it('has one call for each method and path, whatever the case [7.01]', () => {
    const names = calls.map((call) => call.name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(
    calls.flatMap((call) => (call.definition.renews ? [[call.name, call, call.definition.renews] as const] : [])),
  )(
    '%s returns what the read that it renews returns, and takes its whole input [7.01]',
    (_name, { definition }, renews) => {
      const input = [...keys(definition.params), ...keys(definition.query), ...keys(definition.body)]
      expect(definition.answer).toBe(renews.definition.answer ?? 'no answer')
      expect([renews.definition.method, definition.method]).toEqual(['GET', expect.not.stringMatching('GET')])
      expect(input).toEqual(
        expect.arrayContaining([...keys(renews.definition.params), ...keys(renews.definition.query)]),
      )
    },
  )

  it('needs only actions that a policy can list [6.02, 6.03]', () => {
    for (const call of calls) {
      const { needs } = call.definition
      if (typeof needs !== 'string') expect(policyActions[needs.module]).toContain(needs.action)
    }
  })
})

describe('which status may follow which', () => {
  it('is for complaints every status on offer except the current one [4.01, 4.02]', () => {
    const next = (name: string, isActive = true) => ({ name, isActive })
    expect([next('New'), next('OnHold'), next('OnHold', false)].map((it) => complaint.mayFollow('New', it))).toEqual([
      false,
      true,
      false,
    ])
  })

  it('is for registrations a decision, until one is approved [4.05]', () => {
    const table = registration.registrationStatusNames.map((current) => [
      registration.mayFollow(current, 'Approved'),
      registration.mayFollow(current, 'Rejected'),
    ])
    expect(table).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ])
  })

  it('is for organizations and users the other of the two [4.03]', () => {
    expect([activationMayFollow('Activated', 'Activated'), activationMayFollow('Activated', 'Deactivated')]).toEqual([
      false,
      true,
    ])
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
    ['conflict', () => examples.aConflict(), scan.Conflict],
    ['API token', () => examples.anApiToken(), apiToken.ApiToken],
    ['API token draft', () => examples.anApiTokenDraft(), apiToken.ApiTokenDraft],
    ['new API token', () => examples.aNewApiToken(), apiToken.NewApiToken],
    ['webhook', () => examples.aWebhook(), webhook.Webhook],
    ['webhook draft', () => examples.aWebhookDraft(), webhook.WebhookDraft],
    ['new webhook', () => examples.aNewWebhook(), webhook.NewWebhook],
    ['delivery', () => examples.aDeliveryDetail(), webhook.DeliveryDetail],
    ['DICOM partner', () => examples.aDicomPartner(), dicomPartner.DicomPartner],
    ['refused caller', () => examples.aDicomCaller(), dicomPartner.DicomCaller],
    ['DICOM node', () => examples.aDicomNode(), dicomPartner.DicomNode],
    ['station', () => examples.aStation(), station.Station],
    ['report of a station', () => examples.aStationReport(), station.StationReport],
    ['answer to a station', () => examples.aStationAnswer(), station.StationAnswer],
    ['change', () => examples.aChange(), changes.Change],
    ['page of changes', () => examples.aChangePage(), changes.ChangePage],
    ['audit row', () => examples.anAuditDetail(), audit.AuditDetail],
    ['audit check', () => examples.anAuditCheck(), audit.AuditCheck],
    ['settings', () => examples.someSettings(), RuntimeSettings],
  ] as const)('%s is valid by its schema', (_name, make, schema) => {
    expect(v.parse(schema as v.GenericSchema, make())).toEqual(make())
  })
})

describe('a property that is missing', () => {
  const parts = calls.flatMap(({ name, definition }) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = definition[part]
      return schema && 'entries' in schema
        ? [[name, part, schema as v.StrictObjectSchema<v.ObjectEntries, never>] as const]
        : []
    }),
  )

  it.each(parts)('%s: its %s says of each one what the property itself would [7.01, 8.02]', (_name, _part, schema) => {
    const issues = v.safeParse(schema, {}).issues ?? []
    const own = Object.entries(schema.entries).flatMap(([key, entry]) =>
      (v.safeParse(entry, undefined).issues ?? []).slice(0, 1).map(({ message }) => [key, message]),
    )
    expect(issues.map((issue) => [v.getDotPath(issue), issue.message])).toEqual(own)
    expect(issues.map(({ message }) => message)).not.toContain('Unknown property.')
  })

  it('is told apart from one that is not known [P03]', () => {
    expect(v.safeParse(account.login.definition.body!, { Email: 'a@b.example' }).issues?.map((i) => i.message)).toEqual(
      expect.arrayContaining(['Unknown property.', 'This field is required!']),
    )
  })
})
