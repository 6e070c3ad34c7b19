import { formatCell, type Column } from './column.ts'

const fewWords = 2
/** Longer ones, such as all series of an upload, are read to nobody's end. */
const maxWordChars = 100

/**
 * What a row is called on its checkbox, its link and its buttons: the text of its link, and where another row of the
 * page has the same, what tells them apart, such as the ID of the patient: as many words as it takes.
 */
export function nameRows<Row>(
  rows: readonly Row[],
  linked: Column<Row>,
  shown: readonly Column<Row>[],
  card?: (row: Row) => readonly string[],
): (row: Row) => string {
  const alike = Map.groupBy(rows, (row) => formatCell(linked, row))
  const others = shown.filter((column) => column !== linked)
  const wordsOf = (row: Row): readonly string[] => {
    const cells = others.map((column) => formatCell(column, row))
    const words = [...(card?.(row) ?? []), ...cells].filter((text) => text !== '')
    return words.map((text) => (text.length > maxWordChars ? `${text.slice(0, maxWordChars)}…` : text))
  }
  const names = new Map<Row, string>()
  for (const [name, group] of alike) {
    if (group.length < 2) continue
    const words = group.map(wordsOf)
    const most = Math.max(...words.map(({ length }) => length))
    const nameWith = (count: number) => words.map((each) => [name, ...each.slice(0, count)].join(', '))
    let count = fewWords
    while (count < most && new Set(nameWith(count)).size < group.length) count += 1
    for (const [at, full] of nameWith(count).entries()) names.set(group[at]!, full)
  }
  return (row) => names.get(row) ?? formatCell(linked, row)
}
