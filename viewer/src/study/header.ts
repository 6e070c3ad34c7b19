import { tag, type JsonDataset } from '@dmp/dicom'
import { toPlainHeader } from '@dmp/dicom/pixels'
import { numbers, paletteDescriptors, paletteTables, transferSyntaxOf } from '../dicomweb/dataset.ts'

/**
 * A header as the picture loader needs it: of plain frames, without windows that show nothing (a width below 1 makes a
 * black picture), and with colour tables as numbers. The given object stays as it is.
 */
export const withUsableHeader = (header: JsonDataset): JsonDataset => ({
  ...withoutEmptyWindows(toPlainHeader(header, transferSyntaxOf(header))),
  ...paletteNumbers(header),
})

function withoutEmptyWindows(header: JsonDataset): JsonDataset {
  const widths = numbers(header, tag.WindowWidth)
  const centers = numbers(header, tag.WindowCenter)
  const windows = widths
    .map((width, at) => ({ width, center: centers[at] }))
    .filter(({ width, center }) => width >= 1 && center !== undefined)
  if (windows.length === widths.length && windows.length === centers.length && windows.length > 0) return header
  const { [tag.WindowWidth]: _width, [tag.WindowCenter]: _center, ...others } = header
  if (windows.length === 0) return others
  return {
    ...others,
    [tag.WindowWidth]: { vr: 'DS', Value: windows.map(({ width }) => width) },
    [tag.WindowCenter]: { vr: 'DS', Value: windows.map(({ center }) => center) },
  }
}

const paletteNumbers = (header: JsonDataset): JsonDataset =>
  Object.fromEntries(
    paletteTables.flatMap((key, at) => {
      const inline = header[key]?.InlineBinary
      if (inline === undefined) return []
      return [[key, { vr: 'OW', Value: paletteValues(inline, numbers(header, paletteDescriptors[at]!)) }]]
    }),
  )

/** Colour table entries; 16-bit ones are little-endian in the stored bytes. */
function paletteValues(base64: string, descriptor: readonly number[]): number[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const entries = descriptor[0] === 0 ? 65_536 : (descriptor[0] ?? bytes.length)
  if (bytes.length < entries * 2) return [...bytes]
  return Array.from({ length: entries }, (_, at) => bytes[at * 2]! | (bytes[at * 2 + 1]! << 8))
}
