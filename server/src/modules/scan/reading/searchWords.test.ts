import { parseSearch } from './searchWords.ts'

it.each([
  ['peter doe', ['peter', 'doe']],
  ['Doe^Peter', ['Doe', 'Peter']],
  ['Doe, Peter', ['Doe', 'Peter']],
  ['CT brain 2025', ['CT', 'brain', '2025']],
  ['16 Jun 2025', ['2025-06-16']],
  ['16 / Jun / 2026', ['2026-06-16']],
  ['16-June-2025', ['2025-06-16']],
  ['6.6.2025', ['2025-06-06']],
  ['jun 2025 knee', ['2025-06', 'knee']],
  ['2025-06-16', ['2025-06-16']],
  ['16/6/2025 knee/foot', ['2025-06-16', 'knee', 'foot']],
  ['2025/06/16', ['2025-06-16']],
  ['June 16, 2025', ['2025-06-16']],
  // What may be part of a number, and what is two days or none.
  ['16-06-2025 20250616', ['16-06-2025', '20250616']],
  ['05/06/2025 31/02/2025', ['05/06/2025', '31/02/2025']],
  // A name that begins like a month, and a number that is no day.
  ['June Miller', ['June', 'Miller']],
  ['Marie 2025', ['Marie', '2025']],
  ['40 Jun 2025', ['40', '2025-06']],
  ['doe doe', ['doe']],
  ['  ', []],
])('%s is searched as %j [5.19]', (term, words) => {
  expect(parseSearch(term)).toEqual(words)
})

it('has at most sixteen words', () => {
  expect(parseSearch(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))).toHaveLength(16)
})
