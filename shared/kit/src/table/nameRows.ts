import { formatCell, type Column } from './column.ts'

const moreWords = 2

/**
 * What a row is called on its checkbox and its menu: the text of its link, and where another row of the page has the
 * same, what tells them apart, such as the ID of the patient.
 */
export function nameRows<Row>(
  rows: readonly Row[],
  linked: Column<Row>,
  shown: readonly Column<Row>[],
  card?: (row: Row) => readonly string[],
): (row: Row) => string {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = formatCell(linked, row)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return (row) => {
    const name = formatCell(linked, row)
    if ((counts.get(name) ?? 0) < 2) return name
    const more = card?.(row) ?? shown.filter((column) => column !== linked).map((column) => formatCell(column, row))
    return [name, ...more.filter((text) => text !== '').slice(0, moreWords)].join(', ')
  }
}
