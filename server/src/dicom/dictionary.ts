import { createRequire } from 'node:module'
import { isPrivateTag } from '@dmp/dicom'

// The dictionary of dcmjs is data without types. Two statements: so the uploader's bundler finds it.
const load = createRequire(import.meta.url)
const { dictionary } = load('dcmjs/dictionary') as {
  dictionary: Record<string, { vr: string; name: string }>
}

interface Entry {
  readonly vr: string
  readonly keyword: string
  readonly isRetired?: boolean
}

const byTag = new Map<string, Entry>()
const byKeyword = new Map<string, string>()
for (const [key, entry] of Object.entries(dictionary)) {
  const match = /^\(([0-9A-Fa-f]{4}),([0-9A-Fa-f]{4})\)$/.exec(key)
  // Ranges of tags and private tags have other keys.
  if (!match) continue
  const tag = `${match[1]}${match[2]}`.toUpperCase()
  const keyword = entry.name.replace(/^RETIRED_/, '')
  byTag.set(tag, { vr: entry.vr, keyword, isRetired: keyword !== entry.name })
  byKeyword.set(entry.name, tag)
}

// Repeating groups (curves, overlays): the dictionary's own entries for them are unreliable.
const overlays: Record<string, Entry> = {
  '0010': { vr: 'US', keyword: 'OverlayRows' },
  '0011': { vr: 'US', keyword: 'OverlayColumns' },
  '0015': { vr: 'IS', keyword: 'NumberOfFramesInOverlay' },
  '0022': { vr: 'LO', keyword: 'OverlayDescription' },
  '0040': { vr: 'CS', keyword: 'OverlayType' },
  '0045': { vr: 'LO', keyword: 'OverlaySubtype' },
  '0050': { vr: 'SS', keyword: 'OverlayOrigin' },
  '0051': { vr: 'US', keyword: 'ImageFrameOrigin' },
  '0100': { vr: 'US', keyword: 'OverlayBitsAllocated' },
  '0102': { vr: 'US', keyword: 'OverlayBitPosition' },
  '1301': { vr: 'IS', keyword: 'ROIArea' },
  '1302': { vr: 'DS', keyword: 'ROIMean' },
  '1303': { vr: 'DS', keyword: 'ROIStandardDeviation' },
  '1500': { vr: 'LO', keyword: 'OverlayLabel' },
  '3000': { vr: 'OW', keyword: 'OverlayData' },
  '4000': { vr: 'LT', keyword: 'OverlayComments' },
}

function findEntry(tag: string): Entry | undefined {
  if (tag.startsWith('60') && parseInt(tag.slice(0, 4), 16) % 2 === 0) return overlays[tag.slice(4)]
  return byTag.get(tag)
}

const isPrivateCreator = (tag: string): boolean =>
  isPrivateTag(tag) && tag.slice(4, 6) === '00' && parseInt(tag.slice(6), 16) >= 0x10

/**
 * The VR of an element whose file does not state it; `undefined` when the dictionary does not know. `isSigned` decides
 * where the dictionary leaves a choice.
 */
export function findVr(tag: string, isSigned?: boolean): string | undefined {
  if (tag.endsWith('0000')) return 'UL'
  if (isPrivateCreator(tag)) return 'LO'
  const vr = findEntry(tag)?.vr
  if (vr === 'ox' || vr === 'lt') return 'OW'
  if (vr === 'xs') return isSigned ? 'SS' : 'US'
  if (vr === 'up') return 'UL'
  return vr === 'na' ? undefined : vr
}

/** The keyword of PS3.6, `undefined` for private and unknown elements. */
export const findKeyword = (tag: string): string | undefined =>
  isPrivateCreator(tag) ? 'PrivateCreator' : findEntry(tag)?.keyword

/** Whether the standard has withdrawn the attribute: later tables of the standard no longer speak of it. */
export const isRetired = (tag: string): boolean => findEntry(tag)?.isRetired === true

export const findTag = (keyword: string): string | undefined => byKeyword.get(keyword)

/** Every attribute of the standard that has a tag of its own, with its value representation. */
export const listAttributes = (): { readonly tag: string; readonly vr: string }[] =>
  [...byTag].map(([tag, { vr }]) => ({ tag, vr }))
