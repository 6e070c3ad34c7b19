import { randomBytes } from 'node:crypto'
import { stowBody } from '../../server/src/testing/stow.ts'
import type { BenchServer } from './load.ts'
import { createSlices } from './oneByOne.ts'
import { RawSender } from './rawSender.ts'

const slicesPerSeries = 100
const bytes = 132 * 1024

export interface Beside {
  /** Objects that were answered in a second. */
  readonly pace: () => number
  readonly stop: () => Promise<void>
}

/**
 * Sends objects one by one, so many a second on one line, as a modality does while people search. What comes late is
 * not made up for.
 */
export async function sendBeside(server: BenchServer, perSecond: number): Promise<Beside> {
  const pixels = randomBytes(bytes)
  const sender = await RawSender.open(server.url)
  let isStopped = false
  let objects = 0
  const began = performance.now()
  const run = async (): Promise<void> => {
    let due = performance.now()
    while (!isStopped) {
      // A token of its own for each series, as one does not last for all of them.
      const headers = { authorization: `Bearer ${await server.tokenOf('admin@north.example')}` }
      for (const object of createSlices(slicesPerSeries, pixels).objects) {
        if (isStopped) break
        const request = stowBody([object])
        await sender.post('/dicom-web/studies', request.payload, { ...headers, ...request.headers })
        objects += 1
        due = Math.max(due + 1000 / perSecond, performance.now())
        await new Promise((next) => setTimeout(next, due - performance.now()))
      }
    }
    sender.close()
  }
  const running = run()
  return {
    pace: () => objects / ((performance.now() - began) / 1000),
    stop: async () => {
      isStopped = true
      await running
    },
  }
}
