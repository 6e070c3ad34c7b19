import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { stowBody } from '../../server/src/testing/stow.ts'
import { openBenchServer, send } from './load.ts'
import { createSlices } from './oneByOne.ts'
import { processorSeconds } from './processorTime.ts'
import { RawSender } from './rawSender.ts'

/** Hands out the same bytes each time. */
export interface Downloaded {
  readonly name: string
  readonly pid: number
  /** Asks for the address of a download. */
  newUrl(): Promise<string>
  stop(): Promise<void> | void
}

export interface DownloadPace {
  readonly megabytesPerSecond: number
  readonly processorMs: number
}

const slicesPerRequest = 20

/** The zip of a series of so many slices, from files and from segments, and the same bytes from a plain server. */
export async function openDownloads(folder: string, slices: number, bytes: number): Promise<Downloaded[]> {
  const sides: Downloaded[] = []
  for (const objects of ['files', 'segments'] as const) sides.push(await openOurs(folder, objects, slices, bytes))
  const [first] = sides
  if (!first) return []
  const path = join(folder, 'plain.zip')
  await pipeline((await openUrl(await first.newUrl())).response, createWriteStream(path))
  sides.push(await openPlain(path))
  return sides
}

export async function measureDownload({ newUrl, pid }: Downloaded): Promise<DownloadPace> {
  const url = await newUrl()
  const before = processorSeconds(pid)
  const began = performance.now()
  const { response, size } = await openUrl(url)
  let received = 0
  for await (const piece of response) received += (piece as Buffer).length
  if (received !== size) throw new Error(`${url} gave ${received} of ${size} bytes.`)
  return {
    megabytesPerSecond: received / 2 ** 20 / ((performance.now() - began) / 1000),
    processorMs: (processorSeconds(pid) - before) * 1000,
  }
}

async function openUrl(url: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return { response, size: Number(response.headers['content-length']) }
}

async function openOurs(folder: string, objects: 'files' | 'segments', slices: number, bytes: number) {
  const server = await openBenchServer(join(folder, `download-${objects}`), {
    DMP_APPEND_OBJECTS: objects === 'segments' ? '1' : '0',
  })
  const signIn = async () => ({ authorization: `Bearer ${await server.tokenOf('admin@north.example')}` })
  const { series, objects: all } = createSlices(slices, randomBytes(bytes))
  const sender = await RawSender.open(server.url)
  for (let at = 0; at < all.length; at += slicesPerRequest) {
    const { payload, headers } = stowBody(all.slice(at, at + slicesPerRequest))
    await sender.post('/dicom-web/studies', payload, { ...(await signIn()), ...headers })
  }
  sender.close()
  const profile = await send(`${server.url}/api/account/profile`, { headers: await signIn() })
  const { organizationId } = (JSON.parse(profile.body) as { data: { organizationId: string } }).data
  const newUrl = async (): Promise<string> => {
    const reply = await send(`${server.url}/api/Scan/download/${organizationId}/${series}`, {
      method: 'POST',
      headers: { ...(await signIn()), 'content-type': 'application/json' },
      body: '{}',
    })
    const { pathname, search } = new URL((JSON.parse(reply.body) as { data: { downloadUrl: string } }).data.downloadUrl)
    return server.url + pathname + search
  }
  return { name: `ours, ${objects}`, pid: server.pid, newUrl, stop: server.stop }
}

/** A process of its own, as ours is. */
async function openPlain(path: string): Promise<Downloaded> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), path],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (said: Buffer) => resolve(said.toString().trim())),
  )
  return {
    name: 'plain file server',
    pid: child.pid ?? 0,
    newUrl: async () => `http://127.0.0.1:${port}/`,
    stop: () => void child.kill('SIGTERM'),
  }
}

/** What the process of `openPlain` does: one file, and nothing else. */
function servePlain(path: string): void {
  const server = createServer((_, reply) => {
    reply.writeHead(200, { 'content-length': statSync(path).size })
    createReadStream(path, { highWaterMark: 2 ** 18 }).pipe(reply)
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
}

const [, program, given] = process.argv
if (program === fileURLToPath(import.meta.url) && given !== undefined) servePlain(given)
