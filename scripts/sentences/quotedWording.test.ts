import { readText } from '../workspace/files.ts'
import { listTexts } from './listSentences.ts'
import { createQuoteSearch, parseQuotes, reportUnsaidQuotes } from './quotedWording.ts'

describe('wording that the specification fixes', () => {
  const quotes = parseQuotes(
    [
      "| 2.09 | greets: 'This is the {role display name} dashboard', and one's own cards | |",
      "| 2.43 | then 'Go to login' or 'Log in' | |",
      "| 8.09 | '{name} activated' and 'We've sent it, don't worry.' | |",
      "| clause | 'not a row' | |",
    ].join('\n'),
  )
  const findClauses = createQuoteSearch(quotes)

  it('stands in quotes in a row of docs/product.md; an apostrophe is no quote', () => {
    expect(quotes).toEqual([
      { clause: '2.09', text: 'This is the {role display name} dashboard' },
      { clause: '2.43', text: 'Go to login' },
      { clause: '2.43', text: 'Log in' },
      { clause: '8.09', text: '{name} activated' },
      { clause: '8.09', text: "We've sent it, don't worry." },
    ])
  })

  it('is recognized whatever its values are called, and within a longer sentence', () => {
    expect(findClauses('This is the {…} dashboard.')).toEqual(['2.09'])
    expect(findClauses('Back: Go to login')).toEqual(['2.43'])
    expect(findClauses('Go to logins')).toEqual([])
  })

  it('is recognized with other quotation marks and another mark at its end', () => {
    expect(findClauses('We’ve sent it, don’t worry')).toEqual(['8.09'])
    expect(findClauses('Log in:')).toEqual(['2.43'])
  })

  it('of one or two words fixes only the sentence that is equal to it', () => {
    expect(findClauses('Log in')).toEqual(['2.43'])
    expect(findClauses('Log in again')).toEqual([])
    expect(findClauses('{…} activated')).toEqual(['8.09'])
    expect(findClauses('The organization {…} activated')).toEqual([])
  })

  it('is reported when no source says it, or only one of other screens', () => {
    const columns = parseQuotes("| 2.48 | 'Severity', 'Module' | |\n| 4.03 | 'Deactivate' | |")
    const texts = [
      { file: 'remote-complaint/src/list.tsx', text: 'Module' },
      { file: 'remote-user/src/list.tsx', text: 'Severity' },
      { file: 'remote-user/src/actions.tsx', text: 'Switch off' },
    ]
    expect(reportUnsaidQuotes(columns, texts)).toEqual([
      "docs/product.md fixes 'Severity' [2.48], which no source says.",
      "docs/product.md fixes 'Deactivate' [4.03], which no source says.",
    ])
  })
})

describe('the product', () => {
  const quotes = parseQuotes(readText('docs/product.md'))
  const texts = listTexts()

  it('says every wording that docs/product.md fixes', () => {
    expect(reportUnsaidQuotes(quotes, texts)).toEqual([])
  })

  it.each([
    ['2.09', 'This is the {…} dashboard'],
    ['2.42', 'Please enter your verification code'],
    ['2.42', 'Resend Code'],
    ['2.63', 'Show {…} entries'],
    ['4.12', 'Your session renewal has failed. Please Login again.'],
    ['5.15', 'permanently delete'],
    ['5.17', 'This field is required!'],
    ['7.01', 'Your session is not valid anymore. Please login again to use the application.'],
    ['8.07', 'Sending updated Terms of Use failed'],
    ['8.09', 'Registration for {…} approved'],
  ])('says to the letter what %s fixes: %s', (clause, wording) => {
    expect(texts.map(({ text }) => text)).toContain(wording)
    expect(createQuoteSearch(quotes)(wording)).toContain(clause)
  })
})
