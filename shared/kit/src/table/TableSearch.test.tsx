import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { TableSearch } from './TableSearch.tsx'

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
const draw = () => {
  const onSearch = jest.fn()
  render(<TableSearch term="" delay={30} isSearching={false} onSearch={onSearch} />)
  return { onSearch, user: userEvent.setup() }
}
afterEach(() => window.history.replaceState(null, '', '/'))

it('searches once nobody types any more [4.16]', async () => {
  const { onSearch, user } = draw()
  await user.type(screen.getByRole('searchbox'), 'x')
  await wait(60)
  expect(onSearch.mock.calls).toEqual([['x']])
})

it('does not bring back whoever has opened a row before the search began', async () => {
  const { onSearch, user } = draw()
  await user.type(screen.getByRole('searchbox'), 'x')
  // The router has taken the next address, and still draws the list.
  window.history.pushState(null, '', '/scan/held/1')
  await wait(60)
  expect(onSearch).not.toHaveBeenCalled()
})
