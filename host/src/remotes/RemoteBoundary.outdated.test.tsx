import { sendApplicationError } from '@dmp/contract/email'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { createRemote } from '../testing/createRemote.ts'
import { RemoteBoundary } from './RemoteBoundary.tsx'
import { RemoteError } from './RemoteError.ts'
import { reloadOutdatedPage } from './reloadOutdatedPage.ts'

jest.mock('./reloadOutdatedPage.ts', () => ({
  ...jest.requireActual('./reloadOutdatedPage.ts'),
  reloadOutdatedPage: jest.fn(),
}))
const reload = jest.mocked(reloadOutdatedPage)

let isLeaving = Promise.withResolvers<boolean>()
beforeEach(() => {
  for (const kind of ['error', 'warn'] as const) jest.spyOn(console, kind).mockImplementation(() => undefined)
  isLeaving = Promise.withResolvers()
  reload.mockReset().mockReturnValue(isLeaving.promise)
})
afterEach(() => void jest.restoreAllMocks())

const remote = createRemote('remote-outdated')
const origin = { remote: 'remote-outdated', release: remote.releaseId, url: remote.entry }
const draw = (fault: ConstructorParameters<typeof RemoteError>[0], isCard = false) => {
  const Failing = (): never => {
    throw new RemoteError(fault, origin)
  }
  renderScreen(
    <RemoteBoundary remote={remote} {...(isCard && { failure: () => <p>{'card'}</p> })}>
      <Failing />
    </RemoteBoundary>,
    { at: '/outdated', answers: [answer(sendApplicationError, null)] },
  )
  addData('card')
  addData(fault)
}
const card = () => screen.queryByRole('alert')
const isWaiting = () => screen.queryByRole('status', { name: 'Loading' }) !== null

describe('a part of which a file is gone [P26]', () => {
  it('waits while it is found out whether the page is an old one, and leaves with it', async () => {
    draw('chunk')
    expect([reload.mock.calls.length, card(), isWaiting()]).toEqual([1, null, true])
    await act(async () => isLeaving.resolve(true))
    expect([card(), isWaiting()]).toEqual([null, true])
  })

  it.each(['http', 'integrity'] as const)('gets its card where another page would be the same: %s', async (fault) => {
    draw(fault)
    expect([card(), isWaiting()]).toEqual([null, true])
    await act(async () => isLeaving.resolve(false))
    expect(card()).toBeVisible()
    expect(isWaiting()).toBe(false)
  })

  it.each(['render', 'network', 'timeout'] as const)('is not what failed by %s: the card comes at once', (fault) => {
    draw(fault)
    expect(card()).toBeVisible()
    expect(reload).not.toHaveBeenCalled()
  })

  it('is no reason to load the page again where it has a card on the dashboard alone', () => {
    draw('chunk', true)
    expect(screen.getByText('card')).toBeVisible()
    expect(reload).not.toHaveBeenCalled()
  })
})
