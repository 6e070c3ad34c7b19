import { formatDate, formatPersonName } from '@dmp/dicom'
import type { JsonDataset, JsonName, JsonValue } from './jsonModel.ts'

/** Reads single attributes of a DICOM JSON header; every reader returns null for a missing one. */

function first(dataset: JsonDataset, tag: string): JsonValue | undefined {
  return dataset[tag]?.Value?.[0]
}

export function text(dataset: JsonDataset, tag: string): string | null {
  const value = first(dataset, tag)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** All values, joined for people to read. */
export function texts(dataset: JsonDataset, tag: string, separator = ', '): string | null {
  const values = (dataset[tag]?.Value ?? []).filter((value) => typeof value === 'string' || typeof value === 'number')
  return values.length > 0 ? values.join(separator) : null
}

export function number(dataset: JsonDataset, tag: string): number | null {
  const value = first(dataset, tag)
  return typeof value === 'number' ? value : null
}

export function items(dataset: JsonDataset, tag: string): readonly JsonDataset[] {
  const element = dataset[tag]
  return element?.vr === 'SQ' ? ((element.Value ?? []) as readonly JsonDataset[]) : []
}

export function name(dataset: JsonDataset, tag: string): string | null {
  const value = first(dataset, tag) as JsonName | null | undefined
  if (!value || typeof value !== 'object') return null
  return formatPersonName(value.Alphabetic ?? value.Ideographic ?? value.Phonetic ?? '') || null
}

/** The spelling of a name in the script of its own language, where it has another one as well. */
export function nativeName(dataset: JsonDataset, tag: string): string | undefined {
  const value = first(dataset, tag) as JsonName | null | undefined
  if (!value || typeof value !== 'object' || !value.Alphabetic) return undefined
  return formatPersonName(value.Ideographic ?? value.Phonetic ?? '') || undefined
}

/** Every spelling of a name, for the search. */
export function nameSpellings(dataset: JsonDataset, tag: string): string {
  const value = first(dataset, tag) as JsonName | null | undefined
  if (!value || typeof value !== 'object') return ''
  return [value.Alphabetic, value.Ideographic, value.Phonetic].filter(Boolean).join(' ').replaceAll('^', ' ')
}

export function date(dataset: JsonDataset, tag: string): string | null {
  return formatDate(text(dataset, tag))
}

/** TM → HH:MM:SS (missing parts are zero). */
export function time(dataset: JsonDataset, tag: string): string | null {
  return readableTime(text(dataset, tag))
}

export function readableTime(value: string | null): string | null {
  const match = /^([01]\d|2[0-3]):?([0-5]\d)?:?([0-5]\d|60)?/.exec(value ?? '')
  return match ? `${match[1]}:${match[2] ?? '00'}:${match[3] ?? '00'}` : null
}
