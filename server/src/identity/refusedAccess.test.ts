import { businessUser, complaint, organization, registration, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { signAccessToken } from './accessToken.ts'
import type { Viewer } from '../core/context.ts'
import { createRefusedAccess } from './refusedAccess.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer

const recorded = () =>
  server.deps.db
    .selectFrom('audit')
    .select(['actor_id', 'organization_id', 'outcome', 'subject'])
    .where('event', '=', 'AccessRefused')
    .execute()
const settled = async (rows: number) => {
  for (let looks = 0; looks < 100 && (await recorded()).length < rows; looks += 1)
    await new Promise((again) => setImmediate(again))
  return recorded()
}

describe('access that the policy does not permit', () => {
  beforeEach(async () => {
    server = await startServer()
  })
  afterEach(() => server.close())

  it('is recorded for the administrators of the organization: who, and which call [6.02, P24]', async () => {
    const staff = await server.signIn('staff')
    expect((await staff.call(organization.list, {})).status).toBe(403)
    expect(await settled(1)).toEqual([
      {
        actor_id: staff.userId,
        organization_id: northClinic.id,
        outcome: 'refused',
        subject: { call: 'GET /Organization/list' },
      },
    ])
  })

  it('is one row however often it is tried, and bounded however many calls are tried [P24]', async () => {
    const staff = await server.signIn('staff')
    const tries = (who: SignedIn) =>
      [
        ...Object.values(organization),
        ...Object.values(businessUser),
        ...Object.values(registration),
        ...Object.values(complaint),
        ...Object.values(scan),
      ].flatMap((call) =>
        typeof call === 'object' && 'definition' in call ? [() => who.call(call, { id: northClinic.id })] : [],
      )
    for (let round = 0; round < 5; round += 1) await Promise.all(tries(staff).map((attempt) => attempt()))
    const rows = await settled(20)
    expect(rows).toHaveLength(20)
    expect(new Set(rows.map(({ subject }) => subject.call)).size).toBe(20)
  })

  it('is recorded of DICOMweb and of uploads too, when an external app tries to write [P24]', async () => {
    const staff = await server.signIn('staff')
    const sessionId = JSON.parse(Buffer.from(staff.tokens.accessToken?.split('.')[1] ?? '', 'base64url').toString())
      .sid as string
    const { token } = await signAccessToken(
      server.deps.keys,
      { userId: staff.userId, sessionId, scope: 'scan-read' },
      5,
    )
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.app.inject({ method: 'GET', url: '/dicom-web/studies', headers })).statusCode).toBe(200)
    expect(
      (
        await server.app.inject({
          method: 'POST',
          url: '/dicom-web/studies',
          headers: { ...headers, 'content-type': 'multipart/related; type="application/dicom"; boundary=x' },
          payload: '--x--',
        })
      ).statusCode,
    ).toBe(403)
    expect((await settled(1)).map(({ subject }) => subject)).toEqual([{ call: 'Scan Upload' }])
  })
})

describe('what is remembered of people who try', () => {
  const request = { id: '1', ip: '10.0.0.1', headers: {} } as unknown as Parameters<
    ReturnType<typeof createRefusedAccess>
  >[1]
  const trying = () => {
    const rows: string[] = []
    const refused = createRefusedAccess({
      write: async ({ viewer }) => void rows.push(viewer?.userId ?? '') as never,
      background: () => undefined,
    })
    return { rows, tries: (userId: string, what: string) => refused({ userId } as Viewer, request, what) }
  }

  it('is who tried what for ten minutes, and then it is news again [P24]', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000)
    const { rows, tries } = trying()
    const recorded = [0, 599_999, 600_000, 1_199_999].map((after) => {
      now.mockReturnValue(1_000_000 + after)
      tries('ann', 'a call')
      return rows.length
    })
    now.mockRestore()
    expect(recorded).toEqual([1, 1, 2, 2])
  })

  it('is of ten thousand people; who tried longest ago is forgotten first [P24]', () => {
    const { rows, tries } = trying()
    for (let person = 0; person < 10_000; person += 1) tries(`${person}`, 'a call')
    tries('0', 'a call')
    expect(rows).toHaveLength(10_000)
    tries('one more', 'a call')
    tries('1', 'a call')
    expect(rows).toHaveLength(10_001)
    tries('0', 'a call')
    expect(rows.slice(-2)).toEqual(['one more', '0'])
  })
})
