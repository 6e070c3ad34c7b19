import { createHash, type Hash } from 'node:crypto'
import { fromParserKey } from '@dmp/dicom'
import type { DataSet, Element } from 'dicom-parser'
import { readRanges, type ByteSource, type Range } from './byteSource.ts'
import { readFrameTable } from './frames.ts'
import { readInstance, type Instance } from './instance.ts'
import { storedDicomLimits } from './limits.ts'
import { swapSamples, swapValue } from './swapValue.ts'

/** Of the pixels, or of everything else. */
export type DigestedPart = 'header' | 'pixels'

/**
 * A digest of what an object says, however it is written: VRs stated or not, lengths of sequences defined or not, group
 * lengths, trailing padding and byte order make no other image of it (PS3.5 sections 7 and 8.1.2). Compressed pixels
 * are those of their own transfer syntax: no decoder is asked whether two forms show the same.
 *
 * @returns undefined of deflated objects
 */
export async function digestContent(source: ByteSource, part: DigestedPart): Promise<string | undefined> {
  const instance = await readInstance(source, { limits: storedDicomLimits })
  if (instance.part10.transferSyntax.isDeflated) return undefined
  const hash = createHash('sha256')
  if (part === 'header') addDataSet(hash, instance.dataSet, instance.part10)
  else await addPixels(hash, instance)
  return hash.digest('hex')
}

type Written = Pick<Instance['part10'], 'header' | 'transferSyntax'>

function addDataSet(hash: Hash, { elements }: DataSet, written: Written): void {
  const sorted = Object.values(elements)
    .map((element) => ({ key: fromParserKey(element.tag), element }))
    // Group lengths; delimiters, padding, and what is no data set.
    .filter(({ key }) => !key.endsWith('0000') && !/^(?:FFF[CE]|000[0-7])/.test(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, element } of sorted) addElement(hash, key, element, written)
}

function addElement(hash: Hash, key: string, element: Element, written: Written): void {
  const { items = [] } = element
  if (items.length > 0) {
    hash.update(`${key} items ${items.length}\n`)
    for (const { dataSet } of items) {
      if (dataSet) addDataSet(hash, dataSet, written)
      hash.update('end\n')
    }
    return
  }
  const { header, transferSyntax } = written
  const raw = header.subarray(element.dataOffset, element.dataOffset + element.length)
  const value = transferSyntax.isBigEndian ? swapValue(element.vr ?? 'UN', raw) : raw
  hash.update(`${key} ${value.length}\n`).update(value)
}

async function addPixels(hash: Hash, { part10, header }: Instance): Promise<void> {
  const { pixelData, source, transferSyntax } = part10
  if (!pixelData) return
  const { fragments, swapBytes } = await readFrameTable(part10, header)
  if (fragments) {
    hash.update(`${transferSyntax.uid}\n`)
    const ranges = Array.from(fragments.offsets, (offset, index): Range => {
      return { offset, length: fragments.lengths[index] ?? 0 }
    })
    for await (const bytes of readRanges(source, ranges)) hash.update(bytes)
    return
  }
  const range = { offset: pixelData.valueOffset, length: pixelData.length ?? 0 }
  hash.update(`${range.length}\n`)
  for await (const bytes of readRanges(source, [range])) hash.update(inOrder(bytes, swapBytes))
  await addRest(hash, source, range.offset + range.length)
}

const inOrder = (bytes: Buffer, swapBytes: 0 | 2 | 4 | 8): Buffer =>
  swapBytes === 0 || bytes.length % swapBytes !== 0 ? bytes : swapSamples(Buffer.from(bytes), swapBytes)

/** What follows the pixels, but for padding: the bytes as they are, for hardly an object has any. */
async function addRest(hash: Hash, source: ByteSource, from: number): Promise<void> {
  const rest = await source.read(from, Math.min(source.size - from, storedDicomLimits.headerBytes))
  if (rest.length >= 4 && rest.readUInt16LE(0) !== paddingGroup && rest.readUInt16BE(0) !== paddingGroup)
    hash.update(rest)
}

const paddingGroup = 0xfffc
