import { sql } from 'kysely'
import { calls } from '@dmp/contract/calls'
import { permits } from '@dmp/contract'
import { toPolicy } from '@dmp/contract/policy'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { createRateLimits, limitsByCall } from '../core/rateLimits.ts'
import { tooManyRequests } from '../core/errors.ts'

let server: TestServer
/** Several, so that nobody meets the limit on all calls of a person. */
const roots: SignedIn[] = []
beforeAll(async () => {
  server = await startServer({ DMP_LIMIT_FACTOR: '0.1' })
  for (const number of ['', 2, 3, 4, 5, 6, 7, 8]) {
    const email = `super${number}@dmp.example`
    await addSuperAdmin(email)
    roots.push(await server.signIn(email))
  }
})
afterAll(() => server.close())

async function addSuperAdmin(email: string): Promise<void> {
  await sql`insert into users
      (organization_id, email, civility, first_name, last_name, role, password_hash, is_confirmed, status_by)
    select organization_id, ${email}, civility, first_name, last_name, role, password_hash, is_confirmed, status_by
    from users where email = 'super@dmp.example' and ${email} <> email`.execute(server.deps.db)
}

describe.each(Object.entries(limitsByCall))('%s', (name, limits) => {
  it('slows down who calls too often, and says until when [P19]', async () => {
    const call = calls.find((one) => one.name === name)
    if (!call) throw new Error(`There is a limit for ${name}, which the contract does not have.`)
    expect(permits(toPolicy('super_admin'), call.definition.needs)).toBe(true)
    const [limit] = limits
    const { method, url } = toRequest(call, {})
    const place = Object.keys(limitsByCall).indexOf(name)
    const root = roots[place % roots.length]
    const once = (remoteAddress: string) =>
      server.app.inject({
        method,
        url: url.replace(/\/(?=\/|$)/g, '/x'),
        // Somebody with a token is known, and counts alone wherever the call comes from.
        headers: limit?.per === 'viewer' ? { ...root?.headers } : {},
        remoteAddress,
      })
    const allowed = Math.max(1, Math.round((limit?.calls ?? 0) * 0.1))
    const address = `10.3.${place}.1`
    for (let n = 0; n < allowed; n += 1) expect((await once(address)).statusCode).not.toBe(429)
    const refused = await once(address)
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([429, 'SLOW_DOWN'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(limit?.seconds ?? 0)
    // By address: others go on. By viewer: another address does not help.
    expect((await once('10.4.0.1')).statusCode === 429).toBe(limit?.per === 'viewer')
  })
})

describe('a flood of any call', () => {
  it('is stopped for its address, not for others [P18, P19]', async () => {
    const from = (remoteAddress: string) =>
      server.app.inject({ method: 'GET', url: '/api/account/validateToken', remoteAddress })
    for (let n = 0; n < 300; n += 1) await from('10.5.0.1')
    expect((await from('10.5.0.1')).statusCode).toBe(429)
    expect((await from('10.5.0.2')).statusCode).toBe(401)
  })
})

/** As they were decided, when nothing is set: somebody who moves one says it here as well. */
const decided: readonly (readonly [call: string, calls: number, seconds: number, per: 'address' | 'viewer'])[] = [
  ['any other call', 3000, 60, 'address'],
  ['any other call', 1200, 60, 'viewer'],
  ['PUT /Release/publish/:part', 60, 3600, 'viewer'],
  ['PUT /Release/sign/:part/:releaseId', 120, 3600, 'viewer'],
  ['GET /Release/judge', 600, 3600, 'viewer'],
  ['POST /Release/preview', 120, 3600, 'viewer'],
  ['GET /Release/getPreview', 600, 3600, 'viewer'],
  ['POST /Release/openPreview', 120, 3600, 'viewer'],
  ['POST /Release/activate', 240, 3600, 'viewer'],
  ['POST /Release/startCanary', 240, 3600, 'viewer'],
  ['POST /Release/promoteCanary', 240, 3600, 'viewer'],
  ['PUT /Organization/setLogo/:id', 30, 3600, 'viewer'],
  ['POST /Organization/startExport/:id', 20, 3600, 'viewer'],
  ['POST /Organization/startImport/:id', 6, 3600, 'viewer'],
  ['POST /Organization/downloadExport/:id', 60, 3600, 'viewer'],
  ['POST /Station/tell', 100, 60, 'viewer'],
  ['POST /account/login', 100, 60, 'address'],
  ['POST /account/respondToMFA', 30, 60, 'address'],
  ['POST /account/setNewPassword', 30, 60, 'address'],
  ['POST /account/renewToken', 300, 60, 'address'],
  ['POST /account/forgotPassword', 20, 900, 'address'],
  ['POST /account/resetForgotPassword', 20, 900, 'address'],
  ['POST /account/checkSetupLink', 30, 900, 'address'],
  ['POST /account/addFirstAdministrator', 20, 900, 'address'],
  ['PUT /account/changePassword', 10, 900, 'viewer'],
  ['POST /account/updatePreferences', 20, 900, 'viewer'],
  ['POST /ApiToken/add', 60, 3600, 'viewer'],
  ['POST /ApiToken/getDevice', 20, 900, 'viewer'],
  ['POST /ApiToken/approveDevice', 20, 900, 'viewer'],
  ['POST /ApiToken/denyDevice', 20, 900, 'viewer'],
  ['POST /Audit/export', 20, 3600, 'viewer'],
  ['POST /Email/sendApplicationError', 10, 3600, 'viewer'],
  ['POST /Release/addRound', 120, 3600, 'viewer'],
  ['POST /Release/judgeRound', 120, 3600, 'viewer'],
  ['POST /Release/report', 300, 60, 'address'],
  ['POST /Release/reportErrors', 120, 60, 'address'],
  ['POST /Release/reportTimes', 300, 60, 'address'],
  ['PUT /Release/setNotices/:part', 30, 3600, 'viewer'],
  ['PUT /Release/addMaps/:part/:releaseId', 60, 3600, 'viewer'],
  ['PUT /Release/addDrawn/:part/:releaseId', 60, 3600, 'viewer'],
  ['POST /Registration/add', 10, 3600, 'address'],
  ['GET /Registration/emailAvailable', 10, 60, 'address'],
  ['GET /businessUser/emailAvailable', 60, 60, 'viewer'],
  ['POST /businessUser/add', 60, 3600, 'viewer'],
  ['POST /businessUser/resetTemporaryPassword/:id', 30, 3600, 'viewer'],
  ['POST /businessUser/sendUpdatedTermsOfUse/:termsLink', 3, 3600, 'viewer'],
  ['POST /Complaint/addMessage/:id', 60, 3600, 'viewer'],
  ['POST /Complaint/add', 30, 3600, 'viewer'],
  ['POST /Organization/add', 60, 3600, 'viewer'],
  ['POST /Organization/testStorage', 20, 900, 'viewer'],
  ['POST /Organization/testMail', 10, 900, 'viewer'],
  ['POST /Scan/addSample/:organizationId', 30, 3600, 'viewer'],
  ['DELETE /Scan/removeSample/:organizationId', 30, 3600, 'viewer'],
  ['POST /Scan/transfer/:organizationId', 60, 3600, 'viewer'],
  ['POST /Scan/download/:organizationId/:seriesUID', 120, 3600, 'viewer'],
  ['POST /Scan/share/:organizationId', 120, 3600, 'viewer'],
  ['POST /Scan/getShared', 120, 60, 'address'],
  ['POST /Scan/listShareable/:organizationId', 240, 3600, 'viewer'],
  ['POST /Scan/listDependents/:organizationId', 240, 3600, 'viewer'],
  ['POST /Scan/openShared', 30, 60, 'address'],
  ['POST /Scan/visitShared', 30, 60, 'address'],
  ['POST /Scan/sendShareCode', 10, 600, 'address'],
  ['POST /Scan/watchShared', 600, 60, 'address'],
  ['DELETE /Scan/delete/:organizationId', 120, 3600, 'viewer'],
  ['POST /Webhook/add', 60, 3600, 'viewer'],
  ['PUT /Webhook/update/:id', 60, 3600, 'viewer'],
  ['POST /Webhook/renewSecret/:id', 60, 3600, 'viewer'],
  ['POST /Webhook/sendTest/:id', 60, 3600, 'viewer'],
  ['POST /Webhook/replay/:id', 600, 3600, 'viewer'],
  ['POST /Webhook/replaySince/:id', 20, 3600, 'viewer'],
]

describe('without a setting', () => {
  it.each(decided)('%s is answered %d times in %d seconds of one %s [P19]', async (call, calls, seconds, per) => {
    const limits = createRateLimits(1, undefined)
    const once = () =>
      limits.spend(call, per === 'address' ? '10.6.0.1' : undefined, per === 'viewer' ? 'somebody' : undefined)
    for (let n = 0; n < calls; n += 1) await once()
    const refused = (await once().catch((cause: unknown) => cause)) as { status?: number; retryAfter?: number }
    expect(refused.status).toBe(429)
    expect(refused.retryAfter).toBeGreaterThan(seconds / 2)
    expect(refused.retryAfter).toBeLessThanOrEqual(seconds)
  })

  it('has a decision for each call with a limit', () => {
    expect(Object.keys(limitsByCall).filter((call) => !decided.some(([name]) => name === call))).toEqual([])
  })
})

describe('how long to wait', () => {
  it.each([
    [0, 1, '1 second'],
    [1, 1, '1 second'],
    [1.2, 2, '2 seconds'],
    [89, 89, '89 seconds'],
    [90, 90, '2 minutes'],
    [900, 900, '15 minutes'],
  ])('of %d seconds is said as people say it [P19]', (seconds, wait, words) => {
    expect(tooManyRequests(seconds)).toMatchObject({
      status: 429,
      retryAfter: wait,
      message: `Too many attempts. Please try again in ${words}.`,
    })
  })
})
