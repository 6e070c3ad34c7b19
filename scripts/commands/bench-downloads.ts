import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { stowBody } from '../../server/src/testing/stow.ts'
import { openBenchServer } from '../bench/load.ts'
import { ratioOfPairs } from '../bench/pairs.ts'
import { startPlainFileServer } from '../bench/plainFile.ts'
import { processorSeconds } from '../bench/processorTime.ts'
import { ctSlice, newSeriesUID, post } from '../bench/scanUploads.ts'

/**
 * `npm run bench:downloads`: a zip of slices, and the same study by WADO-RS, each in turn with a plain file server that
 * sends the same bytes as one file.
 */
const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '3000' },
    /** Pixels of each, in kB. */
    size: { type: 'string', default: '128' },
    rounds: { type: 'string', default: '7' },
  },
})
const slices = Number(values.slices)
const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
const server = await openBenchServer(join(folder, 'data'))
try {
  const headers = { authorization: `Bearer ${await server.tokenOf('admin@north.example')}` }
  const series = await upload(headers)
  const organizationId = await findOrganization(headers)
  const ask = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/api/Scan/download/${organizationId}/${series}`, {
      method: 'POST',
      headers,
    })
    if (!answer.ok) throw new Error(`The download was refused: ${answer.status} ${await answer.text()}`)
    return new URL(((await answer.json()) as { data: { downloadUrl: string } }).data.downloadUrl, server.url).href
  }
  await compare('zip', ask, {})
  await compare('WADO-RS', async () => `${server.url}/dicom-web/studies/${series}.0`, {
    ...headers,
    accept: 'multipart/related; type="application/dicom"; transfer-syntax=*',
  })
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** One series, twenty slices in a request. */
async function upload(headers: Record<string, string>): Promise<string> {
  const series = newSeriesUID()
  const pixels = randomBytes(Number(values.size) * 1024)
  for (let first = 0; first < slices; first += 20) {
    const count = Math.min(20, slices - first)
    const { payload, headers: type } = stowBody(
      Array.from({ length: count }, (_, index) => ctSlice(series, first + index + 1, pixels)),
    )
    await post(`${server.url}/dicom-web/studies`, payload, { ...headers, ...type })
  }
  return series
}

async function findOrganization(headers: Record<string, string>): Promise<string> {
  const answer = await fetch(`${server.url}/api/account/profile`, { headers })
  return ((await answer.json()) as { data: { organization: { id: string } } }).data.organization.id
}

interface Download {
  readonly seconds: number
  readonly bytes: number
  /** Of the sender. */
  readonly processorMs: number
}

async function compare(name: string, address: () => Promise<string>, headers: Record<string, string>): Promise<void> {
  const file = join(folder, `${name}.bytes`)
  await pipeline(await open(await address(), headers), createWriteStream(file))
  const plain = await startPlainFileServer(file)
  const pairs: [ours: Download, theirs: Download][] = []
  try {
    // The first pair only warms up.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const pair: [Download, Download] = [
        await download(await address(), headers, server.pid),
        await download(plain.url, {}, plain.pid),
      ]
      if (round > 0) pairs.push(pair)
    }
  } finally {
    plain.stop()
  }
  const { median, low, high } = ratioOfPairs(pairs.map(([ours, theirs]) => [toPace(ours), toPace(theirs)]))
  const say = (which: 0 | 1): string => {
    const all = pairs.map((pair) => pair[which]).toSorted((a, b) => toPace(a) - toPace(b))
    const middle = all[all.length >> 1] ?? { bytes: 0, seconds: 1, processorMs: 0 }
    return `${toPace(middle).toFixed(0)} MB/s, ${(middle.processorMs / (middle.bytes / 1e6)).toFixed(2)} ms a MB`
  }
  const load = loadavg()[0]?.toFixed(1)
  console.log(`${name}, ${slices} slices of ${values.size} kB (load ${load})`)
  console.log(
    `  ours ${say(0)}; plain file ${say(1)}; pace ${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`,
  )
}

/** Megabytes a second. */
function toPace({ bytes, seconds }: Download): number {
  return bytes / 1e6 / seconds
}

async function download(url: string, headers: Record<string, string>, pid: number): Promise<Download> {
  const used = processorSeconds(pid)
  const began = performance.now()
  const response = await open(url, headers)
  let bytes = 0
  for await (const piece of response) bytes += (piece as Buffer).length
  const seconds = (performance.now() - began) / 1000
  return { seconds, bytes, processorMs: (processorSeconds(pid) - used) * 1000 }
}

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else reject(new Error(`${url}: ${response.statusCode}`))
    })
    asked.on('error', reject)
    asked.end()
  })
}
