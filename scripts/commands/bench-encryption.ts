import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchServer, type BenchServer } from '../bench/load.ts'
import { createBatch, post, sendAll } from '../bench/scanUploads.ts'

/**
 * `npm run bench:encryption`: uploads and downloads of CT slices with and without encryption at rest, in turns, on two
 * servers with embedded databases and objects in folders.
 */
const { values } = parseArgs({
  options: {
    /** Requests of 20 slices of 0.5 MB each, per round and side. */
    uploads: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
  },
})
const sliceMegabytes = (512 * 512 * 2) / 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'dmp-bench-'))
const sides = [
  { name: 'in the clear', variables: {} },
  { name: 'encrypted', variables: { DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') } },
]
try {
  const servers = await Promise.all(
    sides.map(({ name, variables }) => openBenchServer(join(folder, name.replaceAll(' ', '-')), variables)),
  )
  const paces = sides.map(() => ({ up: [] as number[], down: [] as number[] }))
  // The first round only warms up.
  for (let round = 0; round <= Number(values.rounds); round += 1)
    for (const [index, server] of servers.entries()) {
      const { up, down } = await measureRound(server)
      if (round === 0) continue
      paces[index]?.up.push(up)
      paces[index]?.down.push(down)
    }
  for (const [index, { name }] of sides.entries()) {
    say(`upload, ${name} (STOW-RS)`, paces[index]?.up ?? [])
    say(`download, ${name} (WADO-RS)`, paces[index]?.down ?? [])
  }
  for (const server of servers) await server.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Megabytes per second, up on four lanes and down again, study by study. */
async function measureRound(server: BenchServer): Promise<{ up: number; down: number }> {
  const headers = { authorization: `Bearer ${await server.tokenOf('admin@north.example')}` }
  const batch = createBatch(Number(values.uploads))
  const studies: string[] = []
  const upSeconds = await sendAll(batch, async ({ payload, headers: type, study }) => {
    await post(`${server.url}/dicom-web/studies`, payload, { ...headers, ...type })
    studies.push(study)
  })
  const began = performance.now()
  for (const study of studies) {
    const response = await fetch(`${server.url}/dicom-web/studies/${study}`, { headers })
    const { byteLength } = await response.arrayBuffer()
    if (response.status !== 200 || byteLength < (batch.bytes / batch.requests.length) * 0.99)
      throw new Error(`${study}: ${response.status}, ${byteLength} bytes`)
  }
  const megabytes = batch.instances * sliceMegabytes
  return { up: megabytes / upSeconds, down: megabytes / ((performance.now() - began) / 1000) }
}

function say(what: string, all: readonly number[]): void {
  const sorted = all.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  console.log(
    `${what.padEnd(38)} ${middle.toFixed(0)} MB/s (${sorted.at(0)?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`,
  )
}
