import { useUnsaved } from '@dmp/kit'
import { renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen } from '@testing-library/react'
import { NewVersionBanner } from '../shell/NewVersionBanner.tsx'
import { placeSnapshot } from '../testing/createRemote.ts'
import { reloadOutdatedPage, takeReloadNote } from './reloadOutdatedPage.ts'

const pinned = '0'.repeat(16)

function serverSays(snapshot: string | Error): void {
  globalThis.fetch = (async () => {
    if (snapshot instanceof Error) throw snapshot
    return { ok: true, json: async () => ({ data: { snapshot } }) }
  }) as unknown as typeof fetch
}

const reload = jest.fn()

beforeEach(() => {
  sessionStorage.clear()
  reload.mockClear()
  placeSnapshot()
  serverSays('f'.repeat(16))
})
afterEach(() => void jest.useRealTimers())

describe('a page of which a file is gone', () => {
  it('loads itself again when another version is live, and says so afterwards, once [P26]', async () => {
    expect(await reloadOutdatedPage(reload)).toBe(true)
    expect(reload).toHaveBeenCalledTimes(1)
    renderScreen(<NewVersionBanner />, { at: '/dashboard' })
    expect(screen.getByRole('status')).toHaveTextContent('The application was updated, so this page was reloaded.')
    expect(takeReloadNote()).toBe(false)
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })

  it('does so once, and again only after a while', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'], now: 1_000_000 })
    await reloadOutdatedPage(reload)
    expect(await reloadOutdatedPage(reload)).toBe(false)
    jest.setSystemTime(1_000_000 + 10 * 60_000 - 1)
    expect(await reloadOutdatedPage(reload)).toBe(false)
    jest.setSystemTime(1_000_000 + 10 * 60_000)
    expect(await reloadOutdatedPage(reload)).toBe(true)
    expect(reload).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['its own version is still live', pinned],
    ['nobody can say what is live', new TypeError('Failed to fetch')],
  ])('stays as it is when %s', async (_why, answer) => {
    serverSays(answer)
    expect(await reloadOutdatedPage(reload)).toBe(false)
    expect(reload).not.toHaveBeenCalled()
  })

  it('stays as it is when something typed would not come back [P27]', async () => {
    const Typing = ({ isKept }: { isKept: boolean }) => {
      useUnsaved(true, isKept)
      return null
    }
    const { unmount } = renderScreen(<Typing isKept={false} />, { at: '/dashboard' })
    serverSays('f'.repeat(16))
    expect(await reloadOutdatedPage(reload)).toBe(false)
    unmount()
    renderScreen(<Typing isKept />, { at: '/dashboard' })
    serverSays('f'.repeat(16))
    expect(await reloadOutdatedPage(reload)).toBe(true)
  })

  it('stays as it is when it could not remember that it did', async () => {
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full')
    })
    expect(await reloadOutdatedPage(reload)).toBe(false)
    jest.restoreAllMocks()
  })
})
