import { details, findSkipReason, assertStated, type Need } from '../../e2e/support/needs.ts'
import { isReading } from '../../e2e/support/reading.ts'
import { aDeployment } from './deploymentInTests.ts'

/** What Playwright knows of a journey with these details. */
const stated = (...all: Parameters<typeof details>) => ({ annotations: details(...all).annotation })

const reasonOf = (needs: Need[], over: Parameters<typeof aDeployment>[0], writes?: string) =>
  findSkipReason(stated({ needs, ...(writes ? { writes } : {}) }), aDeployment(over))

describe('what a journey states', () => {
  it('is found where the deployment has it', () => {
    const needs: Need[] = ['staff', 'mailbox', 'complaints', 'stack', 'two scans', 'transfer', 'remote-scan']
    expect(reasonOf(needs, {}, 'a complaint')).toBeUndefined()
  })

  it.each<[Need, Parameters<typeof aDeployment>[0], RegExp]>([
    ['mailbox', { hasMailbox: false }, /no mailbox that journeys can read/],
    ['demo', {}, /this is no demo/],
    ['drawn pages', { hasDrawnPages: false }, /npm run build does/],
    ['stack', { stack: null }, /no scan of more than five slices\. Lay a seeded world: npm run e2e -- seed/],
    ['two scans', { scans: { staff: 1 } }, /fewer than two scans/],
    ['scans', { scans: {} }, /list of scans of E2E_STAFF is empty/],
    ['complaints', { rows: { ...aDeployment().rows, complaints: 0 } }, /list of complaints of E2E_SUPER is empty/],
    ['seeded organization', { seededOrganization: null }, /npm run e2e -- seed/],
    ['quick viewer', { opensQuickViewer: false }, /does not open the quick viewer/],
    ['transfer', { canTransfer: false }, /do not both have a datastore/],
    ['own receiver', {}, /DMP_WEBHOOK_HOSTS/],
    ['own DICOM node', {}, /DMP_DICOM_PORT/],
    ['remote-complaint', {}, /remote-complaint is not live here/],
  ])('is a sentence where %s is missing', (need, over, sentence) => {
    expect(reasonOf([need], over)).toMatch(sentence)
  })

  it('is the sentence of a refused account', () => {
    const accounts = {
      ...aDeployment().accounts,
      sys: { isReady: false, email: null, isNamed: false, because: 'E2E_SYS does not name an account' } as const,
    }
    expect(reasonOf(['sys'], { accounts })).toBe('E2E_SYS does not name an account')
  })

  it('keeps a journey that writes out of production until it is allowed', () => {
    expect(reasonOf(['staff'], { mayWrite: false }, 'a complaint')).toMatch(/allow it with E2E_WRITES=1/)
    expect(reasonOf(['staff'], { mayWrite: false })).toBeUndefined()
  })

  it('tags what writes, and refuses a smoke journey that does', () => {
    expect(details({ writes: 'a complaint', tag: '@complaint' }).tag).toEqual(['@complaint', '@writes'])
    expect(() => details({ writes: 'a complaint', tag: '@smoke' })).toThrow(/@smoke journey only reads/)
  })

  it('must be stated before it is used', () => {
    const info = stated({ needs: ['staff'] })
    expect(() => assertStated(info, 'staff')).not.toThrow()
    expect(() => assertStated(info, 'super')).toThrow(/uses "super" without stating it/)
  })
})

describe('a request that only reads', () => {
  it.each([
    ['GET', '/api/Complaint/list'],
    ['POST', '/api/account/login'],
    ['POST', '/api/Scan/download/1/1.2'],
    ['POST', '/api/Scan/listShareable/1'],
    ['POST', '/launch'],
    ['POST', '/api/release/report'],
    ['POST', '/api/release/reportTimes'],
    ['POST', '/somewhere/else'],
  ])('is %s %s', (method, path) => expect(isReading(method, path)).toBe(true))

  it.each([
    ['POST', '/api/Complaint/add'],
    ['PUT', '/api/Organization/activate/1'],
    ['DELETE', '/api/Scan/delete/1'],
    ['POST', '/api/account/forgotPassword'],
    ['POST', '/api/account/updatePreferences'],
    ['POST', '/dicom-web/studies'],
    ['PATCH', '/api/Scan/uploads/1'],
    ['POST', '/api/Scan/share/1'],
  ])('is not %s %s', (method, path) => expect(isReading(method, path)).toBe(false))
})
