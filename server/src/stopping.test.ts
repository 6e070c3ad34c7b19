import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callsAt, objectOf } from './testing/callsFromOutside.ts'
import { startChild, type Child } from './testing/childServer.ts'
import { prepareFolder } from './testing/prepared.ts'
import { openLive } from './testing/live.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-stopping-'))
const running: Child[] = []
afterAll(() => {
  for (const child of running) child.process.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(name: string, variables: Record<string, string>): Promise<[Child, URL]> {
  const dataDir = join(folder, name)
  await prepareFolder(dataDir)
  const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: dataDir, DMP_DISK_NOTICE_MB: '0', ...variables })
  running.push(child)
  return [child, new URL((await child.ready).replace('localhost', '127.0.0.1'))]
}

/** Sends the words and waits until the server has begun to do something about them. */
async function open({ hostname, port }: URL, words: string): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise<void>((sent) => socket.write(words, () => sent()))
  return socket
}

const request = ({ host }: URL, line: string, headers: Record<string, string>): string =>
  [
    `${line} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

async function stop(child: Child): Promise<{ code: number | null; seconds: number }> {
  const began = performance.now()
  child.process.kill('SIGTERM')
  const { code } = await child.ended
  return { code, seconds: (performance.now() - began) / 1000 }
}

const text = (socket: Socket): Promise<string> =>
  new Promise((over) => {
    let said = ''
    socket.on('data', (piece) => (said += piece.toString())).once('close', () => over(said))
  })

const tus = { 'Tus-Resumable': '1.0.0' }
const upload = objectOf('1.2.77', 1, 2 ** 18)
const arrived = 100_000

/** An upload that has come to a standstill in the middle. */
async function beginUpload(url: URL, headers: Record<string, string>): Promise<{ path: string; socket: Socket }> {
  const begun = await callsAt(url.origin).ask('POST', '/api/Scan/uploads', {
    ...headers,
    ...tus,
    'upload-length': String(upload.length),
  })
  const path = begun.headers.get('location') ?? ''
  const head = request(url, `PATCH ${path}`, {
    ...headers,
    ...tus,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': '0',
    'Content-Length': String(upload.length),
  })
  const socket = await open(url, head)
  socket.write(upload.subarray(0, arrived))
  const file = join(folder, 'data', 'uploads', path.split('/').at(-1) ?? '')
  while (statSync(file).size < arrived) await new Promise((again) => setTimeout(again, 20))
  return { path, socket }
}

/** Takes mails and never says a word. */
async function startSilentMailServer(): Promise<[Server, string]> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return [server, `smtp://127.0.0.1:${(server.address() as { port: number }).port}`]
}

/** What hangs in it: a request, an upload, a mail, a page, and a page whose line is dead. */
async function occupy(url: URL, mailServer: Server) {
  const calls = callsAt(url.origin)
  const headers = await calls.signIn()
  const stow = { ...headers, 'Content-Type': 'application/dicom', 'Content-Length': '1000000', Expect: '100-continue' }
  const hanging = await open(url, request(url, 'POST /dicom-web/studies', stow))
  // The server has asked for the body, which never comes.
  await once(hanging, 'data')
  const mailing = once(mailServer, 'connection')
  await calls.ask('POST', '/api/account/forgotPassword', {}, { Email: 'staff@north.example', ClientId: 'dmp-web' })
  await mailing
  const page = await openLive(url.origin, { sessionId: randomUUID(), clientId: 'dmp-web' })
  const dead = await open(
    url,
    request(url, `GET /live?sessionId=${randomUUID()}&clientId=dmp-web`, {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }),
  )
  await once(dead, 'data')
  return { page, ...(await beginUpload(url, headers)) }
}

/** What it does between the order and the end of its work. */
async function drain(child: Child, url: URL): Promise<void> {
  const calls = callsAt(url.origin)
  // The second one is the same order, passed on by a program between.
  child.process.kill('SIGTERM')
  child.process.kill('SIGTERM')
  while ((await calls.ask('GET', '/readyz')).status !== 503) await new Promise((again) => setTimeout(again, 20))
  const signedIn = await calls.login()
  expect([signedIn.status, signedIn.headers.get('connection')]).toEqual([200, 'close'])
  expect((await calls.ask('GET', '/healthz')).status).toBe(200)
  expect((await calls.ask('GET', '/readyz')).text).toContain('This server is being stopped.')
}

it('tells pages and senders to go on elsewhere, cuts off what is still under way in the end, and stops in order [P21, P40]', async () => {
  const [mailServer, SMTP_URL] = await startSilentMailServer()
  const [child, url] = await start('data', { DMP_DRAIN_SECONDS: '0.5', DMP_STOP_SECONDS: '3', SMTP_URL })
  const { page, path, socket } = await occupy(url, mailServer)
  const answer = text(socket)
  const { code, seconds } = await stop(child)
  expect(await page.closed).toEqual({ code: 1012, reason: 'restart' })
  expect(await answer).toMatch(/^HTTP\/1\.1 503 [^]*This server is being stopped\./)
  expect(code).toBe(0)
  expect(seconds).toBeGreaterThan(3.4)
  expect(child.said.out).toContain('they are cut off')
  expect(readdirSync(join(folder, 'data', 'incoming'))).toEqual([])
  mailServer.close()

  // The next server goes on with the upload.
  const [next, address] = await start('data', { DMP_DRAIN_SECONDS: '600' })
  const calls = callsAt(address.origin)
  const headers = { ...(await calls.signIn()), ...tus }
  expect((await calls.ask('HEAD', path, headers)).headers.get('upload-offset')).toBe(String(arrived))
  const rest = { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(arrived) }
  expect((await calls.ask('PATCH', path, rest, upload.subarray(arrived))).status).toBe(204)
  // It serves on until load balancers have noticed that it is not ready, unless somebody asks twice.
  await drain(next, address)
  next.process.kill('SIGINT')
  expect((await next.ended).code).toBe(1)
})
