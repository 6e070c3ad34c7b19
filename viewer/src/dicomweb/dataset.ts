import { formatPersonName, tag, transferSyntax, type JsonDataset } from '@dmp/dicom'

export const paletteDescriptors = [
  tag.RedPaletteColorLookupTableDescriptor,
  tag.GreenPaletteColorLookupTableDescriptor,
  tag.BluePaletteColorLookupTableDescriptor,
] as const
export const paletteTables = [
  tag.RedPaletteColorLookupTableData,
  tag.GreenPaletteColorLookupTableData,
  tag.BluePaletteColorLookupTableData,
] as const

/** The first value as text, trimmed; undefined when there is none. */
export function text(dataset: JsonDataset, key: string): string | undefined {
  const value = dataset[key]?.Value?.[0]
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** How the frames of an object come from the server. */
export const transferSyntaxOf = (header: JsonDataset): string =>
  text(header, tag.AvailableTransferSyntaxUID) ??
  text(header, tag.TransferSyntaxUID) ??
  transferSyntax.explicitLittleEndian

/** All values that are numbers; decimal strings count, as some servers send them so. */
export function numbers(dataset: JsonDataset, key: string): number[] {
  const values = dataset[key]?.Value ?? []
  return values
    .map((value) => (typeof value === 'string' ? Number.parseFloat(value) : Number(value ?? Number.NaN)))
    .filter(Number.isFinite)
}

export const number = (dataset: JsonDataset, key: string): number | undefined => numbers(dataset, key)[0]

/**
 * `DOE^JANE^^DR` → `DOE, DR JANE`: as the lists of the application have it, and the server's of other studies, which
 * are told from those of somebody else by it.
 */
export function personName(dataset: JsonDataset, key: string): string | undefined {
  const value = dataset[key]?.Value?.[0]
  const components =
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null
        ? firstGroup(value as Record<string, unknown>)
        : undefined
  return formatPersonName(components?.split('=')[0] ?? '') || undefined
}

function firstGroup(name: Record<string, unknown>): string | undefined {
  for (const group of ['Alphabetic', 'Ideographic', 'Phonetic']) {
    const value = name[group]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}
