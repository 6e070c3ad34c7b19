import { numbers, tag, type Dataset, type Element } from '../dicomweb/dataset.ts'

/**
 * A header as the picture loader needs it: without windows that show nothing (a width below 1 makes a black picture),
 * and with colour tables as numbers. The given object stays as it is.
 */
export function withUsableHeader(header: Dataset): Dataset {
  const usable: Dataset = { ...header }
  dropEmptyWindows(usable)
  tag.paletteTables.forEach((key, at) => {
    const inline = usable[key]?.InlineBinary
    if (inline !== undefined)
      usable[key] = { vr: 'OW', Value: paletteValues(inline, numbers(usable, tag.paletteDescriptors[at]!)) }
  })
  return usable
}

function dropEmptyWindows(header: Dataset): void {
  const widths = numbers(header, tag.windowWidth)
  const centers = numbers(header, tag.windowCenter)
  const kept = widths
    .map((width, at) => ({ width, center: centers[at] }))
    .filter(({ width, center }) => width >= 1 && center !== undefined)
  if (kept.length === widths.length && kept.length === centers.length && kept.length > 0) return
  delete header[tag.windowWidth]
  delete header[tag.windowCenter]
  if (kept.length === 0) return
  header[tag.windowWidth] = { vr: 'DS', Value: kept.map(({ width }) => width) } satisfies Element
  header[tag.windowCenter] = { vr: 'DS', Value: kept.map(({ center }) => center) } satisfies Element
}

/** Colour table entries; 16-bit ones are little-endian in the stored bytes. */
function paletteValues(base64: string, descriptor: readonly number[]): number[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const entries = descriptor[0] === 0 ? 65_536 : (descriptor[0] ?? bytes.length)
  if (bytes.length < entries * 2) return [...bytes]
  return Array.from({ length: entries }, (_, at) => bytes[at * 2]! | (bytes[at * 2 + 1]! << 8))
}
