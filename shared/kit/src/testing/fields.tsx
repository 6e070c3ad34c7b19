import type { Endpoint } from '@dmp/contract/endpoint'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { formatDate, type DateFormat } from '../dates/formatDate.ts'
import { answer, type Line } from './answers.ts'
import { queryClient } from '../transport/queryClient.ts'
import { renderScreen, type Role } from './renderScreen.tsx'
import { ownValues, valueAt } from './ownValues.ts'
import { sayMarked } from './untranslated.ts'

/** One shown field: its heading, where its value stands in the row, and what is special about it. */
export type ShownField<Row> =
  | readonly [heading: string, path: string]
  | readonly [heading: string, path: string, more: ShownMore<Row>]

interface ShownMore<Row> {
  /** The field that the server sorts by; false where it does not. Default: the path. */
  readonly sort?: string | false
  /** The text, where it is not the value itself. */
  readonly text?: (row: Row) => string
  readonly dates?: DateFormat
}

const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)

function textOf<Row>([, path, more = {}]: ShownField<Row>, row: Row, dates: DateFormat): string {
  if (more.text) return more.text(row)
  const value = valueAt(row, path)
  if (isInstant(value)) return formatDate(value, more.dates ?? dates)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.join('')
  return String(value)
}

const cellsOf = (row: HTMLElement): HTMLElement[] => [...row.querySelectorAll<HTMLElement>('td:not(.dmp-cell-check)')]
const headingsOf = (table: HTMLElement): string[] =>
  [...table.querySelectorAll('th:not(.dmp-cell-check)')].map((heading) => heading.textContent ?? '')

/** What keeps the direction of its text to itself: by what it is, or by our styles. */
const isolating = 'bdi, time, code, button, input, select, textarea, [dir], a[href^="mailto:"], .dmp-badge'

/** A name in another script must neither move the signs beside it nor be moved by them. */
function expectIsolated(place: HTMLElement): void {
  const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { parentElement, textContent } = walk.currentNode
    if (/[\p{L}\d]/u.test(textContent ?? ''))
      expect([textContent, parentElement?.closest(isolating) ? 'is isolated' : 'is not isolated']).toEqual([
        textContent,
        'is isolated',
      ])
  }
}

/** Whether the table shows each field of each row under its own heading, and no other column. */
export function expectTable<Row>(
  label: string,
  rows: readonly Row[],
  fields: readonly ShownField<Row>[],
  dates: DateFormat = 'moment',
): void {
  const table = screen.getByRole('table', { name: label })
  expect(headingsOf(table)).toEqual(fields.map(([heading]) => heading))
  const shown = [...table.querySelectorAll<HTMLElement>('tbody tr')].map((row) =>
    Object.fromEntries(cellsOf(row).map((cell, index) => [fields[index]?.[0], cell.textContent?.trim()])),
  )
  expect(shown).toEqual(
    rows.map((row) => Object.fromEntries(fields.map((field) => [field[0], textOf(field, row, dates)]))),
  )
  for (const row of table.querySelectorAll<HTMLElement>('tbody tr'))
    for (const cell of cellsOf(row)) expectIsolated(cell)
}

/** Whether the section shows each fact under its own label, and no other fact. */
export function expectFacts<Row>(
  section: string,
  row: Row,
  fields: readonly ShownField<Row>[],
  dates: DateFormat = 'moment',
): void {
  const heading = screen.getByRole('heading', { name: section })
  const facts = heading.closest('section')?.querySelector('dl')
  const shown = [...(facts?.children ?? [])].map((fact) => [
    fact.querySelector('dt')?.textContent,
    fact.querySelector('dd')?.textContent?.trim(),
  ])
  expect(shown).toEqual(fields.map((field) => [field[0], textOf(field, row, dates)]))
  for (const value of facts?.querySelectorAll('dd') ?? []) expectIsolated(value)
}

export interface ListOptions<Row> {
  readonly ui: ReactNode
  readonly at: string
  readonly as: Role
  readonly list: Endpoint
  readonly example: Row
  /** Paths whose value is one of a few. */
  readonly keep?: readonly string[]
  readonly label: string
  readonly fields: readonly ShownField<Row>[]
  readonly answers?: readonly Line[]
  /** The call that exports the rows, where the list itself does not. */
  readonly exports?: Endpoint
}

async function findRows(label: string, count: number): Promise<HTMLElement> {
  const table = await screen.findByRole('table', { name: label })
  await waitFor(() => expect(table.querySelectorAll('tbody tr[data-key]')).toHaveLength(count))
  return table
}

const toMarked = (text: string): string => `«${text}»`

const tonesIn = (table: HTMLElement): string[] =>
  [...table.querySelectorAll('tbody .dmp-badge')].map(({ className }) => className)

/**
 * Draws a list with two rows in which each field has a value of its own, all columns shown, and looks for each value
 * under its heading, in the exported file, after all of them have changed, and in the order that a click on the heading
 * asks for.
 */
export async function expectList<Row extends object>(options: ListOptions<Row>): Promise<void> {
  const { ui, at, as, list, example, keep = [], label, fields, answers = [], exports } = options
  const [rows = [], later = []] = [
    [1, 2],
    [3, 4],
  ].map((all) => all.map((from) => ownValues(example, { keep, from })))
  let stored = rows
  const headings = fields.map(([heading]) => heading)
  localStorage.setItem(`preference:columns:${label}`, JSON.stringify(headings))
  localStorage.setItem(`preference:columns:${toMarked(label)}`, JSON.stringify(headings.map(toMarked)))
  const screenOptions = {
    at,
    as,
    answers: [
      ...answers,
      answer(list, () => ({ rows: stored, total: stored.length }) as never),
      ...(exports ? [answer(exports, rows as never)] : []),
    ],
  }
  const english = sayMarked()
  renderScreen(ui, screenOptions)
  const markedTones = tonesIn(await findRows(toMarked(label), rows.length).finally(english))
  cleanup()
  const { calls } = renderScreen(ui, screenOptions)
  const table = await findRows(label, rows.length)
  // A colour that hangs on an English word is another one in every other language.
  expect(markedTones).toEqual(tonesIn(table))
  expectTable(label, rows, fields, 'short')
  await expectExport(rows, fields)
  // The file has every page, not only the shown one.
  if (!exports) expect(calls(list).at(-1)).not.toHaveProperty('page')
  // Somebody else has changed every field: nothing stands there from before.
  stored = later
  await act(() => queryClient.invalidateQueries())
  await waitFor(() => expectTable(label, later, fields, 'short'))
  for (const [heading, path, more = {}] of fields) {
    const button = within(table).queryByRole('button', { name: heading })
    const sort = more.sort ?? path
    expect([heading, button !== null]).toEqual([heading, sort !== false])
    if (!button) continue
    fireEvent.click(button)
    await waitFor(() => expect(calls(list).at(-1)).toMatchObject({ sort, direction: 'asc' }))
  }
}

/** What a spreadsheet would read: instants as they are, lists with commas. */
const toFileText = <Row,>(field: ShownField<Row>, row: Row): string => {
  const value = valueAt(row, field[1])
  if (field[2]?.text) return field[2].text(row)
  return Array.isArray(value) ? value.join(', ') : isInstant(value) ? value : textOf(field, row, 'short')
}

async function expectExport<Row>(rows: readonly Row[], fields: readonly ShownField<Row>[]): Promise<void> {
  const files: Blob[] = []
  const { createObjectURL } = URL
  URL.createObjectURL = (blob) => `blob:${files.push(blob as Blob)}`
  // jsdom has none, and the file is released later.
  URL.revokeObjectURL ??= () => undefined
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /Export CSV/ })))
  await waitFor(() => expect(files).toHaveLength(1))
  const text = await new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(files[0] ?? new Blob([]))
  })
  click.mockRestore()
  Object.assign(URL, { createObjectURL })
  const quote = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell)
  const lines = [
    fields.map(([heading]) => heading),
    ...rows.map((row) => fields.map((field) => toFileText(field, row))),
  ]
  expect(text.replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual(lines.map((line) => line.map(quote).join(',')))
}
