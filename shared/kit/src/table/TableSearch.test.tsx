import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { TableSearch } from './TableSearch.tsx'

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
const draw = (delay = 30) => {
  const onSearch = jest.fn()
  render(<TableSearch label="Complaints" term="" delay={delay} isSearching={false} onSearch={onSearch} />)
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
  // Longer than a busy machine takes for the key.
  const { onSearch, user } = draw(1000)
  await user.type(screen.getByRole('searchbox'), 'x')
  // The router has taken the next address, and still draws the list.
  window.history.pushState(null, '', '/scan/held/1')
  await wait(1100)
  expect(onSearch).not.toHaveBeenCalled()
})

it('shows a term that comes from elsewhere, and never in place of what is being typed', async () => {
  const search = (term: string) => (
    <TableSearch label="Complaints" term={term} delay={60_000} isSearching={false} onSearch={() => undefined} />
  )
  const { rerender } = render(search('knee'))
  rerender(search('hip'))
  expect(screen.getByRole('searchbox')).toHaveValue('hip')
  await userEvent.setup().type(screen.getByRole('searchbox'), ' left')
  rerender(search('elbow'))
  expect(screen.getByRole('searchbox')).toHaveValue('hip left')
})
