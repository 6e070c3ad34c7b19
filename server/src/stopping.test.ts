import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callsAt } from './testing/callsFromOutside.ts'
import { startChild, type Child } from './testing/childServer.ts'

jest.setTimeout(120_000)

const folder = mkdtempSync(join(tmpdir(), 'dmp-stopping-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function start(name: string, variables: Record<string, string>): Promise<[Child, URL]> {
  const dataDir = join(folder, name)
  const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: dataDir, DMP_DISK_NOTICE_MB: '0', ...variables })
  return [child, new URL((await child.ready).replace('localhost', '127.0.0.1'))]
}
/** Sends the words and waits until the server has begun to do something about them. */
async function open({ hostname, port }: URL, words: string): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await new Promise<void>((ready) => socket.once('connect', ready))
  await new Promise<void>((sent) => socket.write(words, () => sent()))
  return socket
}
async function stop(child: Child): Promise<{ code: number | null; seconds: number }> {
  const began = performance.now()
  child.process.kill('SIGTERM')
  const { code } = await child.ended
  return { code, seconds: (performance.now() - began) / 1000 }
}

it('cuts off what is still under way when its time is over, and stops in order [P21]', async () => {
  const [child, url] = await start('slow', { DMP_STOP_SECONDS: '2' })
  const { authorization = '' } = await callsAt(url.origin).signIn()
  const head = [
    'POST /dicom-web/studies HTTP/1.1',
    `Host: ${url.host}`,
    `Authorization: ${authorization}`,
    'Content-Type: application/dicom',
    'Content-Length: 1000000',
    'Expect: 100-continue',
    '\r\n',
  ].join('\r\n')
  const socket = await open(url, head)
  // The server has asked for the body, which never comes.
  await new Promise((asked) => socket.once('data', asked))
  const { code, seconds } = await stop(child)
  expect(code).toBe(0)
  expect(seconds).toBeGreaterThan(1.9)
  expect(child.said.out).toContain('they are cut off')
})

it('does not wait for lines on which nothing is under way [P21]', async () => {
  const [child, url] = await start('idle', { DMP_STOP_SECONDS: '60' })
  const socket = await open(url, `GET /healthz HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`)
  await new Promise((answered) => socket.once('data', answered))
  const { code, seconds } = await stop(child)
  expect(code).toBe(0)
  expect(seconds).toBeLessThan(50)
})
