import type { Tag } from './tagFormats.ts'

/** One element of the DICOM JSON model (PS3.18 section F.2.2). */
export interface JsonElement {
  readonly vr?: string
  readonly Value?: readonly unknown[]
  readonly InlineBinary?: string
  readonly BulkDataURI?: string
}

/** An object in the DICOM JSON model: elements by tag. */
export type JsonDataset = Readonly<Record<Tag, JsonElement>>

/** The first value of an element, as it stands. */
export const firstValue = (dataset: JsonDataset, tag: Tag): unknown => dataset[tag]?.Value?.[0]

/** The items of a sequence; none where the element is missing or empty. */
export const listItems = (dataset: JsonDataset, tag: Tag): readonly JsonDataset[] =>
  (dataset[tag]?.Value ?? []).filter((item): item is JsonDataset => typeof item === 'object' && item !== null)
