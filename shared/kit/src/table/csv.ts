import { dataWord, formatNumber } from '@dmp/kit/language'
import { formatCell, getValue, type Column } from './column.ts'

// Spreadsheets run text with such a beginning, even after blanks and in full-width form (P15).
const startsFormula = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20|%]|^[\t\r\n]/
const isNumber = /^-?\d+(?:[.,]\d+)?$/

/** One cell of a CSV file: text that a spreadsheet would run as a formula is made text; numbers stay numbers. */
export function formatCsvCell(text: string): string {
  const safe = startsFormula.test(text) && !isNumber.test(text) ? `'${text}` : text
  return /[",\r\n;\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * The rows as a CSV file (RFC 4180), with the mark that makes spreadsheets read it as UTF-8. Where the language of the
 * page writes decimals with a comma, so do spreadsheets, which then part cells by semicolons.
 */
export function formatCsv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const mark = formatNumber(0.5).includes(',') ? ',' : '.'
  const separator = mark === ',' ? ';' : ','
  const cell = (column: Column<Row>, row: Row): string => {
    const value = getValue(column, row)
    if (typeof value === 'number') return formatCsvCell(String(value).replace('.', mark))
    // As the badges of the cells say them.
    if (typeof value === 'string' && (column.type === 'status' || column.type === 'badges'))
      return formatCsvCell(dataWord(value))
    if (typeof value === 'object' && value) return formatCsvCell(value.map(dataWord).join(', '))
    // Dates are exported as instants: unambiguous, and sortable in a spreadsheet.
    return formatCsvCell(column.type === 'date' && typeof value === 'string' ? value : formatCell(column, row))
  }
  const lines = [
    columns.map(({ title }) => formatCsvCell(title)),
    ...rows.map((row) => columns.map((column) => cell(column, row))),
  ]
  return `\uFEFF${lines.map((line) => line.join(separator)).join('\r\n')}\r\n`
}

/** Hands a text to the browser as a file to save. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
