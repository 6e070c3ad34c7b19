import { formatErrors } from './errors.ts'

it('errors are printed as debuggers print them, with how many met them and where', () => {
  const text = formatErrors([
    {
      id: '1',
      name: 'TypeError',
      message: '… is not iterable',
      stack: [
        { file: 'src/list/Table.tsx', line: 12, column: 3, name: 'rows' },
        { file: 'App.js', line: 1, column: 4711, name: null },
      ],
      reports: 3,
      people: 1,
      firstDate: '2026-11-20T08:00:00Z',
      lastDate: '2026-11-26T08:00:00Z',
      releases: [{ releaseId: 'a'.repeat(16), version: '1.4.1', reports: 3 }],
      browsers: [{ name: 'Firefox 145', reports: 3 }],
    },
  ])
  expect(text.split('\n').slice(0, 3)).toEqual([
    'TypeError: … is not iterable',
    '    at rows (src/list/Table.tsx:12:3)',
    '    at ? (App.js:1:4711)',
  ])
  expect(text).toContain('3 reports, 1 person on one day at most')
  expect(text).toContain(`releases: 1.4.1 ${'a'.repeat(16)} (3)`)
  expect(text).toContain('browsers: Firefox 145 (3)')
})
