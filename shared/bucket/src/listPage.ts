export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

export interface ListPage {
  readonly objects: readonly ListedObject[]
  /** Prefixes up to the next `/`, if the list was requested with a delimiter. */
  readonly folders: readonly string[]
  readonly next: string | undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (xml: string): string =>
  xml.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (entity, hex?: string, decimal?: string, name?: string) =>
    hex
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : decimal
        ? String.fromCodePoint(Number(decimal))
        : (entities[name ?? ''] ?? entity),
  )

const textIn = (xml: string, name: string): string => decodeEntities(elementsIn(xml, name)[0] ?? '')
const elementsIn = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((text) => text.slice(0, text.indexOf(`</${name}>`)))

/** Parses a response of ListObjectsV2. It is flat and its keys are our own, so no XML parser is needed. */
export function parseListPage(xml: string): ListPage {
  const isTruncated = textIn(xml, 'IsTruncated') === 'true'
  return {
    objects: elementsIn(xml, 'Contents').map((element) => ({
      key: textIn(element, 'Key'),
      size: Number(textIn(element, 'Size')),
      modified: new Date(textIn(element, 'LastModified')),
    })),
    folders: elementsIn(xml, 'CommonPrefixes').map((element) => textIn(element, 'Prefix')),
    next: isTruncated ? textIn(xml, 'NextContinuationToken') : undefined,
  }
}
