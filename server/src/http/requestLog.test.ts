import { connect } from 'node:net'
import { dicomFile } from '../dicom/testing/dicomFile.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { stowBody } from '../testing/stow.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const linesOf = (route: string) =>
  server.logs
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['msg'] === 'request' && line['route'] === route)

it('says of a sender who hung up after the last byte what was sent, and by whom, once [V16.1.1]', async () => {
  const staff = await server.signIn('staff')
  const port = Number(new URL(await server.listen()).port)
  const gate = Promise.withResolvers<void>()
  const stage = server.deps.objects.stage.bind(server.deps.objects)
  const staged = jest.spyOn(server.deps.objects, 'stage').mockImplementation(async (...given) => {
    await gate.promise
    return stage(...given)
  })
  const { payload, headers } = stowBody([dicomFile()])
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(
    `POST /dicom-web/studies HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
      `authorization: ${staff.headers.authorization}\r\ncontent-type: ${headers['content-type']}\r\n` +
      `content-length: ${payload.length}\r\n\r\n`,
  )
  socket.write(payload)
  while (staged.mock.calls.length === 0) await new Promise((again) => setTimeout(again, 5))
  socket.destroy()
  while (linesOf('/dicom-web/studies').length === 0) await new Promise((again) => setTimeout(again, 5))
  gate.resolve()
  await Promise.all(staged.mock.results.map(({ value }) => (value as Promise<unknown>).catch(() => undefined)))
  for (let n = 0; n < 5; n += 1) expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  expect(linesOf('/dicom-web/studies')).toEqual([
    expect.objectContaining({ method: 'POST', status: 499, user: staff.userId, ip: '127.0.0.1' }),
  ])
  // A balancer asks each second.
  expect(linesOf('/healthz')).toEqual([])
})

it('tells nobody to look after a dependency because a sender hung up [V16.1.1]', async () => {
  const address = new URL(server.app.listeningOrigin)
  const socket = connect(Number(address.port), '127.0.0.1').on('error', () => undefined)
  const head =
    `POST /api/account/logout HTTP/1.1\r\nhost: ${address.host}\r\n` +
    'content-type: application/json\r\ncontent-length: 100\r\n\r\n'
  await new Promise((sent) => socket.write(`${head}{"refreshToken"`, sent))
  socket.destroy()
  while (linesOf('/api/account/logout').length === 0) await new Promise((again) => setTimeout(again, 5))
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  expect(server.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
