import { toAddressKey } from '../core/addressKey.ts'
import { DrawingThread } from '../dicom/drawingThread.ts'
import { dicomFile } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'

let server: TestServer
let staff: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_OPEN_RESPONSES_PER_ADDRESS: '4', DMP_OPEN_RESPONSES_PER_PERSON: '2' })
  staff = await server.signIn('staff')
  admin = await server.signIn('admin')
  expect((await stow(server, staff, [dicomFile()])).statusCode).toBe(200)
})
afterAll(() => server.close())

it('bounds the responses that a person and an address may have open, until they end [P18]', async () => {
  const gate = Promise.withResolvers<Buffer>()
  const begun: (() => void)[] = []
  const draw = jest.spyOn(DrawingThread.prototype, 'draw').mockImplementation(() => (begun.shift()?.(), gate.promise))
  const ask = (who: SignedIn, width: number, remoteAddress: string) =>
    server.app.inject({
      url: `/dicom-web/studies/1.2.3/series/1.2.3.4/instances/1.2.3.4.5/rendered?viewport=${width},9`,
      headers: who.headers,
      remoteAddress,
    })
  // Equal pictures are one drawing, so that all of these wait for the same one.
  const drawing = new Promise<void>((resolve) => begun.push(resolve))
  const open = [ask(staff, 1, '10.1.0.1'), ask(staff, 1, '10.1.0.1')]
  await drawing
  const refused = await ask(staff, 1, '10.1.0.2')
  expect([refused.statusCode, refused.headers['retry-after'], refused.json<{ code: string }>().code]).toEqual([
    429,
    '5',
    'SLOW_DOWN',
  ])
  open.push(ask(admin, 1, '10.1.0.1'), ask(admin, 1, '10.1.0.1'))
  for (let turns = 0; turns < 100; turns += 1) await new Promise((next) => setImmediate(next))
  const health = (remoteAddress: string) => server.app.inject({ url: '/healthz', remoteAddress })
  // Whoever is known stands in no line of the address; strangers there do.
  expect((await health('10.1.0.1')).statusCode).toBe(200)
  const countedAs = `address ${toAddressKey('10.1.0.1')}`
  const strangers = Array.from({ length: 4 }, () => server.deps.openResponses.begin({}, countedAs))
  expect([(await health('10.1.0.1')).statusCode, (await health('10.1.0.3')).statusCode]).toEqual([429, 200])
  gate.resolve(Buffer.from('picture'))
  expect(new Set((await Promise.all(open)).map((reply) => reply.statusCode))).toEqual(new Set([200]))
  for (const end of strangers) end()
  expect((await health('10.1.0.1')).statusCode).toBe(200)
  expect((await ask(staff, 1, '10.1.0.1')).statusCode).toBe(200)
  draw.mockRestore()
})
