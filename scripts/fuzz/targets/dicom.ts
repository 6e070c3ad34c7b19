import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  slice,
  text,
  u16,
  type Elements,
} from '../../../server/src/dicom/testing/dicomFile.ts'
import { sampleObjects } from '../../../server/src/dicom/sampleObjects.ts'
import { stowBody } from '../../../server/src/testing/stow.ts'
import type { FuzzCase, HttpStep } from '../FuzzCase.ts'
import { mutate, typedText } from '../mutate.ts'
import type { Random } from '../Random.ts'

const longestSample = 40_000
const samples = sampleObjects()
  .map((path) => readFileSync(path))
  .filter((bytes) => bytes.length <= longestSample)
const implicit = '1.2.840.10008.1.2'
const bigEndian = '1.2.840.10008.1.2.2'
const deflated = '1.2.840.10008.1.2.1.99'
const jpeg = '1.2.840.10008.1.2.4.50'
const rle = '1.2.840.10008.1.2.5'

const uids = (random: Random): Elements => ({
  '00080018': text('UI', `1.2.47.${random.below(2 ** 31)}.${random.below(2 ** 31)}`),
  '0020000D': text('UI', `1.2.47.${random.below(40)}`),
  '0020000E': text('UI', `1.2.47.${random.below(40)}.1`),
  '00100010': text('PN', `${typedText}^Fuzzed`),
})

const nested = (random: Random, depth: number): Elements =>
  depth === 0
    ? { '00080104': text('LO', typedText) }
    : { '00081140': Array.from({ length: 1 + random.below(3) }, () => nested(random, depth - 1)) }

/** Objects of every encoding; those that are changed before they are packed reach what lies behind the inflating. */
const makers: readonly [(random: Random) => Buffer, ...((random: Random) => Buffer)[]] = [
  (random) => dicomFile({ elements: slice(uids(random)) }),
  (random) => dicomFile({ elements: slice(uids(random)), transferSyntaxUID: implicit }),
  (random) => dicomFile({ elements: slice(uids(random), true), transferSyntaxUID: bigEndian }),
  (random) => dicomFile({ elements: slice({ ...uids(random), ...nested(random, 1 + random.below(6)) }) }),
  (random) => dicomFile({ elements: slice({ ...uids(random), '00280008': text('IS', String(random.below(9))) }) }),
  (random) => {
    const dataset = mutate(datasetBytes(slice({ ...uids(random), ...nested(random, 2) })), random)
    return Buffer.concat([
      dicomFile({ dataset: Buffer.alloc(0), transferSyntaxUID: deflated }),
      deflateRawSync(dataset),
    ])
  },
  (random) => {
    const { '7FE00010': _pixels, ...header } = slice({ ...uids(random), '00280100': u16(8), '00280101': u16(8) })
    const fragments = Array.from({ length: random.below(4) }, () => random.bytes(random.below(200) * 2))
    const dataset = Buffer.concat([datasetBytes(header), encapsulated(fragments, [0, random.below(400)])])
    return dicomFile({ dataset, transferSyntaxUID: random.pick([jpeg, rle]) })
  },
  (random) => random.pick(samples as [Buffer, ...Buffer[]]),
]

const read = (path: string): HttpStep => ({ method: 'GET', path, headers: { authorization: 'Bearer {{token}}' } })

/** Stores a broken object; where it is accepted, everything that can be read of it is read. */
export function dicom(random: Random): FuzzCase {
  const objects = Array.from({ length: 1 + random.below(2) }, () => mutate(random.pick(makers)(random), random))
  const { payload, headers } = stowBody(objects)
  const store: HttpStep = {
    method: 'POST',
    path: '/dicom-web/studies',
    headers: { ...headers, authorization: 'Bearer {{token}}' },
    body: payload.toString('base64'),
  }
  const reads = ['/metadata', '/frames/1', '/frames/2,9', '/rendered', '/thumbnail', '', '/bulkdata/7FE00010']
  return { target: 'dicom', steps: [store, ...reads.map((path) => read(`{{stored}}${path}`))] }
}
