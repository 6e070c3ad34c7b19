import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { DrawingThread } from '../../dicom/drawingThread.ts'
import { drawingLimits, PictureRenderer } from '../../dicom/pictureRenderer.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { Stranger, storeStudies, tokenOf } from '../scan/sharing/shareInTests.ts'

/** What a stranger with a share link takes: nothing from the people of the organization that made it. */
let server: TestServer
let admin: SignedIn
let staff: SignedIn
let token: string
const small = { perPerson: 12, perOrganization: 12, inAll: 48 }
let release = (): void => undefined

beforeAll(async () => {
  jest.replaceProperty(drawingLimits as { waiting: object }, 'waiting', small)
  server = await startServer({ DMP_PICTURE_THREADS: '1', DMP_LIMIT_FACTOR: '1' })
  ;[admin, staff] = await Promise.all([server.signIn('admin'), server.signIn('staff')])
  await storeStudies(server, admin, '1.84', 'Shared^Patient')
  // Drawn now, so that none is drawn a while after the upload, in the middle of a test.
  for (const series of [
    '1.84.1/series/1.84.1.1',
    '1.84.1/series/1.84.1.2',
    '1.84.2/series/1.84.2.1',
    '1.84.2/series/1.84.2.2',
  ]) {
    const url = `/dicom-web/studies/${series}/thumbnail`
    expect((await server.app.inject({ url, headers: admin.headers })).statusCode).toBe(200)
  }
  const shared = await admin.call(scan.share, {
    organizationId: northClinic.id,
    seriesUID: '1.84.1.1',
    expireInDay: 1,
  })
  token = tokenOf(shared.data.downloadUrl)
})
afterEach(() => {
  release()
  jest.restoreAllMocks()
})
afterAll(() => server.close())

const picture = (width: number) => `/studies/1.84.1/series/1.84.1.1/instances/1.84.1.1.1/rendered?viewport=${width},9`
const askAsStaff = (width: number) => server.app.inject({ url: `/dicom-web${picture(width)}`, headers: staff.headers })

/** A browser that opened the link, and how it asks. */
async function openLink(address: string) {
  const stranger = new Stranger(server, address)
  const { id } = (await stranger.visit(token)).data
  return (width: number) => stranger.get(`/dicom-web/shared/${id}${picture(width)}`)
}

/** Drawing that waits until it is let go; `asked` resolves when so many pictures were asked for. */
function holdDrawing() {
  const gate = Promise.withResolvers<Buffer>()
  jest.spyOn(DrawingThread.prototype, 'draw').mockReturnValue(gate.promise)
  const draw = jest.spyOn(PictureRenderer.prototype, 'draw')
  const asked = async (count: number): Promise<void> => {
    while (draw.mock.calls.length < count) await new Promise((again) => setTimeout(again, 5))
  }
  release = () => gate.resolve(Buffer.from('picture'))
  return { asked, release }
}
const statuses = async (replies: readonly Promise<{ statusCode: number }>[]) =>
  (await Promise.all(replies)).map(({ statusCode }) => statusCode)
const points = (charge: jest.SpyInstance): string[] =>
  charge.mock.calls.map(([owner]) => (owner as { userId: string }).userId)

describe('visitors of a share link', () => {
  it('take no picture from the people of the organization, and pay for themselves [P18, P25]', async () => {
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    const held = holdDrawing()
    const visitors = []
    for (const n of [1, 2, 3, 4]) visitors.push(await openLink(`10.4.0.${n}`))
    const greedy = visitors.flatMap((ask, visitor) => Array.from({ length: 5 }, (_, n) => ask(100 * visitor + n + 1)))
    await held.asked(20)
    const honest = [1000, 1001, 1002].map(askAsStaff)
    await held.asked(23)
    held.release()
    expect(await statuses(honest)).toEqual([200, 200, 200])
    const answers = await statuses(greedy)
    // One is drawn, and so many wait as of any other person.
    expect(answers.filter((status) => status === 200)).toHaveLength(small.perPerson + 1)
    expect(points(charge)).toHaveLength(20 - small.perPerson - 1)
    expect(points(charge).filter((userId) => !userId.startsWith('visit '))).toEqual([])
  })

  it('wait after too many refusals, those of another browser do not, and nobody of the organization [P18, P25]', async () => {
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    const [greedy, honest] = [await openLink('10.4.1.1'), await openLink('10.4.1.2')]
    const held = holdDrawing()
    const many = Array.from({ length: 20 }, (_, n) => greedy(2000 + n))
    await held.asked(20)
    held.release()
    await Promise.all(many)
    const [[owner, address, cost]] = charge.mock.calls as [Parameters<typeof server.deps.penalties.charge>]
    for (let n = 0; n < 100; n += 1) server.deps.penalties.charge(owner, address, cost)
    const refused = await greedy(1200)
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect([(await honest(1201)).statusCode, (await askAsStaff(1202)).statusCode]).toEqual([200, 200])
  })
})

it('a colleague is not kept out by those who filled the line of the organization [P18]', async () => {
  const charge = jest.spyOn(server.deps.penalties, 'charge')
  const held = holdDrawing()
  // One is drawn, so many wait, and one more is refused.
  const greedy = Array.from({ length: small.perPerson + 2 }, (_, n) =>
    server.app.inject({ url: `/dicom-web${picture(1300 + n)}`, headers: admin.headers }),
  )
  await held.asked(greedy.length)
  const honest = [1400, 1401].map(askAsStaff)
  await held.asked(greedy.length + 2)
  held.release()
  expect(await statuses(honest)).toEqual([200, 200])
  await Promise.all(greedy)
  expect(points(charge)).toEqual([admin.userId])
})
