import { randomBytes } from 'node:crypto'
import { plantAndSearch } from './plantAndSearch.ts'

it('finds nothing of a person in the copies of objects in which it was planted [P22]', async () => {
  const { copied, planted, found } = await plantAndSearch(170, randomBytes(4).toString('hex'))
  expect(found).toEqual([])
  expect(copied).toBeGreaterThan(120)
  expect(planted).toBeGreaterThan(1000)
})
