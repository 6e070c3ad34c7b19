export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

export interface ListPage {
  readonly objects: readonly ListedObject[]
  /** What lies between the prefix and the next `/`, when a list was asked for by folders. */
  readonly folders: readonly string[]
  readonly next: string | undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (xml: string): string =>
  xml.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
    hex
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : decimal
        ? String.fromCodePoint(Number(decimal))
        : (entities[name ?? ''] ?? whole),
  )

const textIn = (xml: string, name: string): string => decodeEntities(elementsIn(xml, name)[0] ?? '')
const elementsIn = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((part) => part.slice(0, part.indexOf(`</${name}>`)))

/** The answer of ListObjectsV2: flat, and its keys are ours, so that it is read without a parser. */
export function parseListPage(xml: string): ListPage {
  const isTruncated = textIn(xml, 'IsTruncated') === 'true'
  return {
    objects: elementsIn(xml, 'Contents').map((one) => ({
      key: textIn(one, 'Key'),
      size: Number(textIn(one, 'Size')),
      modified: new Date(textIn(one, 'LastModified')),
    })),
    folders: elementsIn(xml, 'CommonPrefixes').map((one) => textIn(one, 'Prefix')),
    next: isTruncated ? textIn(xml, 'NextContinuationToken') : undefined,
  }
}
