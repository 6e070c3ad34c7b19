import { aUser } from '@dmp/contract/examples'
import type { RoleName } from '@dmp/contract'
import type { Declaration } from '@dmp/contract/remote'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { guardRoute, type Visitor } from './routeGuard.ts'

const declarations = readDeclarations()

const visitor = (role: RoleName | null, over: Partial<Visitor> = {}): Visitor => ({
  policy: role === null ? null : aUser(role).policy,
  isValid: role !== null,
  isIdledOut: false,
  ...over,
})
const passage = (path: string, role: RoleName | null, over: Partial<Visitor> = {}) =>
  guardRoute(path, declarations, visitor(role, over))

describe('which part owns an address', () => {
  it.each([
    ['/login', 'remote-account'],
    ['/set-new-password/1/2', 'remote-account'],
    ['/forgot-password', 'remote-account'],
    ['/reset-password/1/2', 'remote-account'],
    ['/register', 'remote-registration'],
    ['/terms', 'host'],
    ['/dashboard', 'host'],
    ['/complaint', 'remote-complaint'],
    ['/complaint/detail/1', 'remote-complaint'],
    ['/complaint/add', 'remote-complaint'],
    ['/organization', 'remote-organization'],
    ['/organization/detail/1', 'remote-organization'],
    ['/organization/update/1', 'remote-organization'],
    ['/organization/assign-saas/1', 'remote-organization'],
    ['/registration', 'remote-registration'],
    ['/registration/detail/1', 'remote-registration'],
    ['/scan', 'remote-scan'],
    ['/scan/detail/1/2', 'remote-scan'],
    ['/user', 'remote-user'],
    ['/user/detail/1', 'remote-user'],
    ['/user/add', 'remote-user'],
    ['/user/edit/1', 'remote-user'],
    ['/account/profile', 'remote-account'],
    ['/account/Security', 'remote-account'],
    ['/account/organization', 'remote-organization'],
    ['/account/organization/edit', 'remote-organization'],
    ['/not-authorized/Scan/List', 'host'],
  ])('%s belongs to %s, the longest prefix winning [2.31]', (path, owner) => {
    const decided = passage(path, 'super_admin', path === '/login' ? { policy: null } : {})
    expect(decided.kind === 'open' && decided.owner.name).toBe(owner)
  })

  it.each(['/nowhere', '/scanner', '/scans/1', '/accounts', '/x/login'])('%s belongs to nobody [2.30]', (path) => {
    expect(passage(path, 'super_admin')).toEqual({ kind: 'not-found' })
    expect(passage(path, null)).toEqual({ kind: 'not-found' })
  })
})

describe('the guard', () => {
  const guarded = [
    '/dashboard',
    '/complaint',
    '/complaint/add',
    '/organization',
    '/registration',
    '/scan',
    '/scan/detail/1/2',
    '/user',
    '/account/profile',
    '/account/organization',
  ]
  const open = [
    '/login',
    '/register',
    '/registration/add',
    '/forgot-password',
    '/reset-password/1/2',
    '/set-new-password/1/2',
    '/terms',
  ]

  it.each(guarded)('sends strangers from %s to the sign-in page [2.31]', (path) => {
    expect(passage(path, null)).toEqual({ kind: 'sign-in' })
  })

  it.each(open)('lets strangers into %s', (path) => {
    expect(passage(path, null).kind).toBe('open')
  })

  it.each(guarded)('ends a session whose token is not valid, or that was idle for too long, at %s [2.31]', (path) => {
    expect(passage(path, 'super_admin', { isValid: false })).toEqual({ kind: 'end-session' })
    expect(passage(path, 'super_admin', { isIdledOut: true })).toEqual({ kind: 'end-session' })
  })

  it('sends who is signed in on from the sign-in page, but not who holds an ended token [2.03]', () => {
    expect(passage('/login', 'staff')).toEqual({ kind: 'redirect' })
    expect(passage('/login', 'staff', { isValid: false }).kind).toBe('open')
    expect(passage('/login', 'staff', { isIdledOut: true }).kind).toBe('open')
  })

  it.each([
    ['staff', ['/complaint', '/scan'], ['/organization', '/registration', '/user']],
    ['admin', ['/complaint', '/scan', '/user'], ['/organization', '/registration']],
    ['sys_admin', ['/complaint', '/organization', '/registration', '/scan', '/user'], []],
    ['super_admin', ['/complaint', '/organization', '/registration', '/scan', '/user'], []],
  ] as const)(
    'opens for %s what the policy permits, with everything below it, and nothing else [2.31, 2.33, 6.02]',
    (role, permitted, closed) => {
      for (const path of permitted) {
        expect(passage(path, role).kind).toBe('open')
        expect(passage(`${path}/detail/1`, role).kind).toBe('open')
      }
      for (const path of closed) {
        expect(passage(path, role).kind).toBe('refused')
        expect(passage(`${path}/detail/1`, role).kind).toBe('refused')
      }
    },
  )

  it('names module and action of what it keeps closed [2.29, 2.38]', () => {
    expect(passage('/organization/detail/1', 'staff')).toEqual({
      kind: 'refused',
      module: 'Organization',
      action: 'List',
    })
    expect(passage('/user', 'staff')).toEqual({ kind: 'refused', module: 'BusinessUser', action: 'List' })
  })

  it('names the address and List where a remote claims an address without an entry in the navigation [2.29]', () => {
    const reports: Declaration = {
      name: 'remote-reports',
      title: 'Reports',
      version: '1.0.0',
      routes: [{ prefix: '/reports', guard: 'policy' }],
      navigation: [],
      cards: [],
      needs: { contract: '^1.0.0', kit: '^1.0.0' },
    }
    expect(guardRoute('/reports/1', [...declarations, reports], visitor('super_admin'))).toEqual({
      kind: 'refused',
      module: 'reports',
      action: 'List',
    })
  })

  it.each([
    '/dashboard',
    '/complaint/add',
    '/account/profile',
    '/account/Security',
    '/account/organization',
    '/not-authorized/Scan/List',
  ])('opens %s for everybody who is signed in, whatever the policy says [2.33]', (path) => {
    expect(passage(path, 'staff', { policy: [] }).kind).toBe('open')
  })
})
