import { randomBytes } from 'node:crypto'
import { dicomFile, slice, text, u16 } from '../../server/src/dicom/testing/dicomFile.ts'
import { stowBody } from '../../server/src/testing/stow.ts'

const usualSide = 512
const slicesPerRequest = 20
const laneCount = 4

/** A square CT slice of a series whose study ends with `.0`; two bytes for each pixel. */
export function ctSlice(series: string, number: number, pixels: Buffer): Buffer {
  const side = Math.sqrt(pixels.length / 2)
  return dicomFile({
    elements: slice({
      '00080018': text('UI', `${series}.${number}`),
      '0020000D': text('UI', `${series}.0`),
      '0020000E': text('UI', series),
      '00200013': text('IS', String(number)),
      '0008103E': text('LO', 'Knee left 1 mm'),
      '00280010': u16(side),
      '00280011': u16(side),
      '7FE00010': { vr: 'OW', value: pixels },
    }),
  })
}

export interface Batch {
  readonly instances: number
  readonly bytes: number
  readonly requests: {
    readonly payload: Buffer
    readonly headers: Record<string, string>
    readonly objects: readonly Buffer[]
    readonly study: string
  }[]
}

export const newSeriesUID = (): string => `2.25.${BigInt(`0x${randomBytes(12).toString('hex')}`)}`

/** Requests of STOW-RS with twenty slices each, as a modality or a gateway sends them. */
export function createBatch(requests: number): Batch {
  const pixels = randomBytes(usualSide * usualSide * 2)
  const all = Array.from({ length: requests }, () => {
    const series = newSeriesUID()
    const objects = Array.from({ length: slicesPerRequest }, (_, number) => ctSlice(series, number + 1, pixels))
    return { ...stowBody(objects), objects, study: `${series}.0` }
  })
  return {
    instances: requests * slicesPerRequest,
    bytes: all.reduce((sum, { objects }) => sum + objects.reduce((size, object) => size + object.length, 0), 0),
    requests: all,
  }
}

/** Seconds for all of it, on four lanes. */
export async function sendAll(
  batch: Batch,
  send: (request: Batch['requests'][number]) => Promise<void>,
): Promise<number> {
  const queue = [...batch.requests]
  const began = performance.now()
  const lane = async (): Promise<void> => {
    for (let request = queue.shift(); request; request = queue.shift()) await send(request)
  }
  await Promise.all(Array.from({ length: laneCount }, lane))
  return (performance.now() - began) / 1000
}

export async function post(url: string, body: Buffer, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers })
  const responseText = await response.text()
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${responseText.slice(0, 300)}`)
}
