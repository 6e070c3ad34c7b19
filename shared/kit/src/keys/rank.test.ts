import { filterByRank, rank } from './rank.ts'

describe('the rank of a name', () => {
  it.each([
    ['scan', 'Scan', '', 4],
    ['uplo', 'Upload scans', '', 3],
    ['upload sc', 'Upload scans', '', 3],
    ['scans', 'Upload scans', '', 2],
    ['sc up', 'Upload scans', '', 2],
    ['disc', 'Upload scans', 'import disc', 1],
    ['disc upload', 'Upload scans', 'import disc', 1],
    ['load', 'Upload scans', 'import disc', 0],
    ['upload knee', 'Upload scans', 'import disc', 0],
    ['', 'Upload scans', '', 0],
    ['…', 'Upload scans', '', 0],
  ])('“%s” finds “%s” (%s) as %d', (term, title, words, score) => {
    expect(rank(term, title, words)).toBe(score)
  })

  it('knows no accents and no case', () => {
    expect([rank('proba', 'Próba'), rank('PRÓBA', 'proba')]).toEqual([4, 4])
  })

  it('orders what it names, and keeps the order of equals', () => {
    const items = ['Add a user', 'User settings', 'A user list', 'Users', 'User', 'Complaint'].map((text) => ({ text }))
    expect(filterByRank('user', items).map(({ text }) => text)).toEqual([
      'User',
      'User settings',
      'Users',
      'Add a user',
      'A user list',
    ])
  })
})
