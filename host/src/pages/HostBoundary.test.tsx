import { render, screen } from '@testing-library/react'
import { placeSnapshot } from '../testing/createRemote.ts'
import { HostBoundary } from './HostBoundary.tsx'

const Broken = ({ error }: { readonly error: Error }) => {
  throw error
}

describe('the outermost ring', () => {
  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    sessionStorage.clear()
    placeSnapshot()
  })
  afterEach(() => jest.restoreAllMocks())

  it('shows what is inside while all is well', () => {
    render(
      <HostBoundary>
        <p>well</p>
      </HostBoundary>,
    )
    expect(screen.getByText('well')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    [
      'asks for a newer version when a file of the page is gone',
      'ChunkLoadError',
      [`/releases/live?of=${'0'.repeat(16)}`],
    ],
    ['asks for none when anything else is wrong', 'TypeError', []],
  ])('says in words what happened, offers to load again, and %s [P26]', async (_what, name, asked) => {
    const addresses: string[] = []
    globalThis.fetch = (async (address: string) => {
      addresses.push(address)
      return { ok: true, json: async () => ({ data: { snapshot: '0'.repeat(16) } }) }
    }) as unknown as typeof fetch
    render(
      <HostBoundary>
        <Broken error={Object.assign(new Error('gone'), { name })} />
      </HostBoundary>,
    )
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong')
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument()
    // There is no override here that could be turned off.
    expect(screen.queryByRole('link')).toBeNull()
    expect(addresses).toEqual(asked)
  })
})
