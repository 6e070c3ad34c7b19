import { addData, placeSettings, renderScreen } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { createRemote } from '../testing/createRemote.ts'
import { RemoteCard } from './RemoteCard.tsx'
import { RemoteError, type Fault } from './RemoteError.ts'

beforeAll(() => placeSettings())
afterEach(() => jest.restoreAllMocks())

function draw(fault: Fault, isOnline: boolean): void {
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  const remote = createRemote('remote-drawing')
  const error = new RemoteError(fault, { remote: 'remote-drawing', release: 'e3d9a559731bef50', url: '' })
  renderScreen(<RemoteCard remote={remote} error={error} onRetry={() => undefined} />, { at: '/drawing' })
  addData(fault)
}

const offlineText = /^You are offline, and this part was not opened before\./

describe('the card of a part that cannot be shown', () => {
  it('says in a sentence what happened, and what a developer asks for behind it', () => {
    draw('chunk', true)
    expect(screen.getByText(/^A file of this part could not be loaded\./)).toBeVisible()
    expect(screen.getByText(/e3d9a559731bef50 · chunk/)).toBeVisible()
  })

  it('says that somebody is offline where a file did not come for that', () => {
    draw('chunk', false)
    expect(screen.getByText(offlineText)).toBeVisible()
  })

  it('does not blame the line for a fault of the part', () => {
    draw('render', false)
    expect(screen.queryByText(offlineText)).toBeNull()
    expect(screen.getByText(/^This part stopped because of an error\./)).toBeVisible()
  })
})
