export interface Listed {
  readonly key: string
  readonly size: number
  readonly modified: Date
}

export interface ListPage {
  readonly objects: readonly Listed[]
  /** What lies between the prefix and the next `/`, when a list was asked for by folders. */
  readonly folders: readonly string[]
  readonly next: string | undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (xml: string): string =>
  xml.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) =>
    hex
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : decimal
        ? String.fromCodePoint(Number(decimal))
        : (entities[name ?? ''] ?? whole),
  )

const valueIn = (xml: string, name: string): string => plain(partsOf(xml, name)[0] ?? '')
const partsOf = (xml: string, name: string): string[] =>
  xml
    .split(`<${name}>`)
    .slice(1)
    .map((part) => part.slice(0, part.indexOf(`</${name}>`)))

/** The answer of ListObjectsV2: flat, and its keys are ours, so that it is read without a parser. */
export function readListPage(xml: string): ListPage {
  const isTruncated = valueIn(xml, 'IsTruncated') === 'true'
  return {
    objects: partsOf(xml, 'Contents').map((one) => ({
      key: valueIn(one, 'Key'),
      size: Number(valueIn(one, 'Size')),
      modified: new Date(valueIn(one, 'LastModified')),
    })),
    folders: partsOf(xml, 'CommonPrefixes').map((one) => valueIn(one, 'Prefix')),
    next: isTruncated ? valueIn(xml, 'NextContinuationToken') : undefined,
  }
}
