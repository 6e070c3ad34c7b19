import type * as screenParts from '@dmp/kit/screen'
import type * as kit from '@dmp/kit'
import type * as languageParts from '@dmp/kit/language'

type Page = typeof kit & typeof screenParts & typeof languageParts

function startPage(language: string): Page {
  localStorage.setItem('preference:language', language)
  let page: Page | undefined
  jest.isolateModules(() => {
    page = {
      ...jest.requireActual<typeof kit>('@dmp/kit'),
      ...jest.requireActual<typeof screenParts>('@dmp/kit/screen'),
      ...jest.requireActual<typeof languageParts>('@dmp/kit/language'),
    }
  })
  if (!page) throw new Error('The page has not started.')
  return page
}
afterEach(() => localStorage.clear())

const instant = '2026-01-05T08:15:00.000Z'

describe.each([
  ['de', '05. Jan. 2026', '05.01.2026, 09:15 MEZ', '05.01.2026', '12.345,5'],
  ['fr', '05 janv. 2026', '05/01/2026 09:15 UTC+1', '05/01/2026', '12 345,5'],
  ['es', '05 ene 2026', '05/01/2026, 09:15 CET', '05/01/2026', '12.345,5'],
  ['ja', '2026年1月05日', '2026/01/05 09:15 GMT+1', '2026/01/05', '12,345.5'],
  ['ar', '05 يناير 2026', '05/01/2026، 09:15 ص غرينتش+1', '05/01/2026', '12,345.5'],
  ['en', '05 / Jan / 2026', '2026-01-05, 09:15 am GMT+1', '2026-01-05', '12,345.5'],
])('a page in %s', (language, day, moment, short, number) => {
  // Marks of direction, and the narrow spaces of some languages, are not seen.
  const seen = (text: string) => text.replaceAll(/[\u200e\u200f\u2068\u2069]/g, '').replaceAll(/[\u202f\u00a0]/g, ' ')

  it('writes dates and numbers in its own order, in the zone of the viewer [9.10]', () => {
    const { formatDate, formatNumber } = startPage(language)
    expect(seen(formatDate(instant, 'day', 'Europe/Berlin'))).toBe(day)
    expect(seen(formatDate(instant, 'moment', 'Europe/Berlin'))).toBe(moment)
    expect(seen(formatDate(instant, 'short', 'Europe/Berlin'))).toBe(short)
    expect(seen(formatNumber(12_345.5))).toBe(number)
  })

  it('keeps dates and sizes together among words of the other direction', () => {
    const { direction, formatBytes, formatDate } = startPage(language)
    for (const text of [formatDate(instant, 'short'), formatBytes(1500)])
      expect(/^[\u2066\u2068].+\u2069$/u.test(text)).toBe(direction() === 'rtl')
  })

  it('writes a date without a time as that day in every zone, and no date as it is', () => {
    const { formatDate, formatDay } = startPage(language)
    expect(seen(formatDay('2026-01-05'))).toBe(short)
    for (const text of ['2026-13-45', '1990', 'May 1990', '']) expect(formatDay(text)).toBe(text)
    expect(seen(formatDate('2026-01-05', 'day', 'America/Los_Angeles'))).toBe(day)
    expect(seen(formatDate('2026-01-05', 'moment', 'America/Los_Angeles'))).toBe(short)
    expect(formatDate('2026-13-45', 'short')).toBe('2026-13-45')
    expect(formatDate(null, 'short')).toBe('')
  })
})
