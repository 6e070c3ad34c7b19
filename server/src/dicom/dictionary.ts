import { createRequire } from 'node:module'

// The dictionary of dcmjs is data without types.
const { dictionary } = createRequire(import.meta.url)('dcmjs/dictionary') as {
  dictionary: Record<string, { vr: string; name: string }>
}

interface Entry {
  readonly vr: string
  readonly keyword: string
}

const byTag = new Map<string, Entry>()
const byKeyword = new Map<string, string>()
for (const [key, entry] of Object.entries(dictionary)) {
  const match = /^\(([0-9A-Fa-f]{4}),([0-9A-Fa-f]{4})\)$/.exec(key)
  // Ranges of tags, and those of makers, are written otherwise.
  if (!match) continue
  const tag = `${match[1]}${match[2]}`.toUpperCase()
  byTag.set(tag, { vr: entry.vr, keyword: entry.name.replace(/^RETIRED_/, '') })
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

function find(tag: string): Entry | undefined {
  if (tag.startsWith('60') && parseInt(tag.slice(0, 4), 16) % 2 === 0) return overlays[tag.slice(4)]
  return byTag.get(tag)
}

/** Tags are written as eight upper-case hexadecimal digits throughout, as in the DICOM JSON model. */
export const isPrivate = (tag: string): boolean => parseInt(tag.slice(0, 4), 16) % 2 === 1
const isPrivateCreator = (tag: string): boolean =>
  isPrivate(tag) && tag.slice(4, 6) === '00' && parseInt(tag.slice(6), 16) >= 0x10

/**
 * The VR of an element whose file does not say it, `undefined` when nobody knows. Ambiguous ones are told by
 * `isSigned`.
 */
export function vrOf(tag: string, isSigned?: boolean): string | undefined {
  if (tag.endsWith('0000')) return 'UL'
  if (isPrivateCreator(tag)) return 'LO'
  const vr = find(tag)?.vr
  if (vr === 'ox' || vr === 'lt') return 'OW'
  if (vr === 'xs') return isSigned ? 'SS' : 'US'
  if (vr === 'up') return 'UL'
  return vr === 'na' ? undefined : vr
}

/** The keyword of PS3.6, `undefined` for private and unknown elements. */
export const keywordOf = (tag: string): string | undefined =>
  isPrivateCreator(tag) ? 'PrivateCreator' : find(tag)?.keyword

export const tagOf = (keyword: string): string | undefined => byKeyword.get(keyword)
