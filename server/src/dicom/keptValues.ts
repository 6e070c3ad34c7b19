import { pickTags, type JsonDataset, type JsonElement, type JsonValue } from './jsonModel.ts'

/**
 * What the rows of an object keep for lists and searches: somebody else's object must not make them slow, so each value
 * has a length. The object and its header keep everything (docs/decisions/0072-bounded-searches.md).
 */

/** No value that DICOM allows in these attributes is longer; a name has as many in each spelling. */
export const maxKeptChars = 64
const maxKeptValues = 16
/** Of an element as JSON; a sequence of requests has some hundred. */
const maxKeptElementChars = 4_096

/** Whole characters: half of one is no text that a database takes. */
export const cutText = (value: string): string =>
  value.length <= maxKeptChars
    ? value
    : Array.from(value.slice(0, 2 * maxKeptChars))
        .slice(0, maxKeptChars)
        .join('')

function cutValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cutText(value)
  if (value === null || typeof value === 'number') return value
  // A name by its spellings, or an item of a sequence by its elements.
  return Object.fromEntries(
    Object.entries(value).map(([key, part]: [string, string | JsonElement]) => [
      key,
      typeof part === 'string' ? cutText(part) : cutElement(part),
    ]),
  )
}

function cutElement(element: JsonElement): JsonElement {
  const { vr, Value, InlineBinary } = element
  if (!Value) return (InlineBinary?.length ?? 0) > maxKeptChars ? { vr } : element
  const values = Value.slice(0, maxKeptValues).map(cutValue)
  const kept = [values, values.slice(0, 1)].find((some) => JSON.stringify(some).length <= maxKeptElementChars)
  return kept ? { vr, Value: kept } : { vr }
}

/** The elements of the tags, each cut. */
export const keepValues = (header: JsonDataset, tags: readonly string[]): JsonDataset =>
  Object.fromEntries(Object.entries(pickTags(header, tags)).map(([tag, element]) => [tag, cutElement(element)]))
