import type { JsonDataset, JsonElement } from './dataset.ts'

/**
 * The text of a dataset with its elements in the order of their tags, at every depth (PS3.18 section F.2.2). `JSON`
 * alone does not do it: JavaScript puts keys that read as numbers, such as `20500020`, before all others.
 *
 * @example stringifyDataset({ '00100020': { vr: 'LO', Value: ['P1'] }, '00080060': { vr: 'CS', Value: ['MR'] } })
 */
export function stringifyDataset(dataset: JsonDataset): string {
  if (isOrdered(dataset)) return JSON.stringify(dataset)
  const elements = Object.keys(dataset)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stringifyElement(dataset[key] ?? {})}`)
  return `{${elements.join(',')}}`
}

function stringifyElement(element: JsonElement): string {
  if (element.vr !== 'SQ' || element.Value === undefined) return JSON.stringify(element)
  return `{"vr":"SQ","Value":[${element.Value.map((item) => stringifyDataset(item as JsonDataset)).join(',')}]}`
}

/** Most datasets are: they come from objects, which have that order. */
function isOrdered(dataset: JsonDataset): boolean {
  let lastKey = ''
  for (const key in dataset) {
    if (key < lastKey) return false
    lastKey = key
    const { vr, Value: items } = dataset[key] ?? {}
    if (vr === 'SQ' && items?.every((item) => isOrdered(item as JsonDataset)) === false) return false
  }
  return true
}

/**
 * Adds elements, each as the text `"tag":{…}` and in the order of their tags, to the text of a dataset at their places,
 * without reading what is in it: a header may be megabytes.
 *
 * @example insertElements('{"00080060":{"vr":"CS"}}', ['"00083002":{"vr":"UI","Value":["1.2.840.10008.1.2"]}'])
 */
export function insertElements(text: string, additions: readonly string[]): string {
  const pieces: string[] = []
  const waiting = [...additions]
  let copied = 0
  for (const { index, key } of iterateKeys(text)) {
    while (waiting[0] !== undefined && waiting[0] < key) {
      pieces.push(text.slice(copied, index), waiting.shift() ?? '', ',')
      copied = index
    }
    if (waiting.length === 0) break
  }
  if (waiting.length === 0) return [...pieces, text.slice(copied)].join('')
  const isEmpty = text === '{}'
  return [...pieces, text.slice(copied, -1), isEmpty ? '' : ',', waiting.join(','), '}'].join('')
}

/** Where the elements of the dataset itself begin, not those of its sequences: each key with its quotes. */
function* iterateKeys(text: string): Generator<{ index: number; key: string }> {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index]
    if (letter === '{') depth += 1
    else if (letter === '}') depth -= 1
    else if (letter === '"') {
      const end = findEnd(text, index)
      if (depth === 1) yield { index, key: text.slice(index, end + 1) }
      index = end
    }
  }
}

/** The quote that ends the string which begins at `start`. */
function findEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
