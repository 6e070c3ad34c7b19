import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { dicomFile, slice, text } from '../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { stow } from '../testing/stow.ts'

let s3: S3Server
let line: Server
let server: TestServer
let staff: SignedIn
const sockets = new Set<Socket>()
/** While it is set, the store takes everything and says nothing, as a process that is stopped. */
let isFrozen = false

beforeAll(async () => {
  s3 = await startS3Server('hanging/')
  const store = new URL(s3.location.endpoint)
  line = createServer((incoming) => {
    sockets.add(incoming)
    incoming.on('error', () => undefined)
    if (isFrozen) return
    const outgoing = connect(Number(store.port), store.hostname)
    sockets.add(outgoing)
    outgoing.on('error', () => undefined)
    incoming.on('data', (bytes) => isFrozen || outgoing.write(bytes))
    outgoing.on('data', (bytes) => isFrozen || incoming.write(bytes))
    incoming.on('close', () => outgoing.destroy())
    outgoing.on('close', () => incoming.destroy())
  })
  await new Promise<void>((listening) => line.listen(0, '127.0.0.1', listening))
  const endpoint = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  server = await startServer({ ...s3.variables, DMP_S3_ENDPOINT: endpoint })
  staff = await server.signIn('staff')
})
afterAll(async () => {
  await server.close()
  for (const socket of sockets) socket.destroy()
  line.close()
  await s3.close()
})

const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.97.1.${number}`),
      '0020000D': text('UI', '1.97'),
      '0020000E': text('UI', '1.97.1'),
    }),
  })
const read = () =>
  server.app.inject({
    url: '/dicom-web/studies/1.97/series/1.97.1/instances/1.97.1.1',
    headers: { ...staff.headers, accept: 'application/dicom' },
  })

it('answers with 503 within 10 s while a bucket hangs, says why in the log, and goes on with it [P21]', async () => {
  expect((await stow(server, staff, [object(1)])).statusCode).toBe(200)
  isFrozen = true
  const began = performance.now()
  const answers = await Promise.all([stow(server, staff, [object(2)]), read(), server.app.inject('/readyz')])
  // 8 s of waiting; the rest is for a busy machine.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
  const causes = server.logs.filter((text) => text.includes('a dependency failed'))
  expect(causes.join('')).toContain('does not respond (TimeoutError)')

  isFrozen = false
  for (const socket of sockets) socket.destroy()
  expect((await read()).statusCode).toBe(200)
  expect((await stow(server, staff, [object(2)])).statusCode).toBe(200)
})
