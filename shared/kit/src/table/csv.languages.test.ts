import type * as csv from './csv.ts'

afterEach(() => localStorage.clear())

function formatIn(language: string): string {
  localStorage.setItem('preference:language', language)
  let text = ''
  jest.isolateModules(() => {
    const { formatCsv } = jest.requireActual<typeof csv>('./csv.ts')
    const columns = [
      { title: 'Name', field: 'name' as const },
      { title: 'Wait', field: 'wait' as const },
    ]
    text = formatCsv(columns, [
      { name: 'Knee; left, seen', wait: -1.5 },
      { name: '=1+1', wait: 12 },
    ])
  })
  return text
}

describe.each([
  ['en', 'Name,Wait\r\n"Knee; left, seen",-1.5\r\n\'=1+1,12\r\n'],
  ['ja', 'Name,Wait\r\n"Knee; left, seen",-1.5\r\n\'=1+1,12\r\n'],
  ['ar', 'Name,Wait\r\n"Knee; left, seen",-1.5\r\n\'=1+1,12\r\n'],
  ['de', 'Name;Wait\r\n"Knee; left, seen";"-1,5"\r\n\'=1+1;12\r\n'],
  ['fr', 'Name;Wait\r\n"Knee; left, seen";"-1,5"\r\n\'=1+1;12\r\n'],
  ['es', 'Name;Wait\r\n"Knee; left, seen";"-1,5"\r\n\'=1+1;12\r\n'],
])('a CSV file of a page in %s', (language, text) => {
  it('has the separator and the decimal mark that spreadsheets of the language expect [P15]', () => {
    expect(formatIn(language)).toBe(`\uFEFF${text}`)
  })
})

it('has the words of the page for statuses, and what people wrote as they wrote it', () => {
  const texts = globalThis as { dmpTexts?: Record<string, (text: string) => string | undefined> }
  const before = texts.dmpTexts
  texts.dmpTexts = { host: (text) => ({ InProgress: 'In Bearbeitung', Low: 'Niedrig' })[text] }
  const { formatCsv } = jest.requireActual<typeof csv>('./csv.ts')
  const columns = [
    { title: 'Status', field: 'status' as const, type: 'status' as const },
    { title: 'Kinds', field: 'kinds' as const },
    { title: 'Kind', field: 'kind' as const, type: 'badges' as const },
    { title: 'Name', field: 'name' as const },
  ]
  expect(formatCsv(columns, [{ status: 'InProgress', kinds: ['Low', 'Other'], kind: 'Low', name: 'Low' }])).toBe(
    '\uFEFFStatus,Kinds,Kind,Name\r\nIn Bearbeitung,"Niedrig, Other",Niedrig,Low\r\n',
  )
  if (before) texts.dmpTexts = before
  else delete texts.dmpTexts
})
