import * as account from '@dmp/contract/account'
import { session, sessionTexts, useUnsaved } from '@dmp/kit'
import { Route, Routes, useLocation, returnTo, toReturnState } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { addData, answer } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { fakeScripts, type ScriptOutcome } from '../testing/fakeScripts.ts'
import { Pages } from './Pages.tsx'

const entry = (alias: string, routerLink: string, module: string, order: number) => ({
  alias,
  routerLink,
  fontAwesomeClass: 'fa-solid fa-user',
  frontEndModule: true,
  module,
  action: 'List',
  order,
})
const createNavigationRemote = (name: string, alias: string, module: string) =>
  createRemote(`remote-${name}`, { title: alias, navigation: [entry(alias, `/${name}`, module, 20)] })
const login = createRemote('remote-login', { routes: [{ prefix: '/login', guard: 'guest' }] })

const appAt = (path: string, title: string) => ({
  App: ({ notFound }: { notFound: ReactNode }) => (
    <Routes>
      <Route path={path} element={<Screen title={title} />} />
      <Route path="*" element={notFound} />
    </Routes>
  ),
})
const runs = (name: string, module: unknown): ScriptOutcome => ({
  global: name.replaceAll('-', '_'),
  container: { get: async () => () => module },
})

beforeEach(() => jest.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => jest.restoreAllMocks())

describe('pages', () => {
  it('leads the empty path to the sign-in page, and from a guarded address there and back [2.02, 2.03]', async () => {
    placeSnapshot(login, createNavigationRemote('scan', 'Scan', 'Scan'))
    fakeScripts(() => runs('remote-login', appAt('/login', 'Login')))
    const { path, goTo } = renderPage(<Pages />, { at: '/', as: null })
    expect(await screen.findByRole('heading', { name: 'Login' })).toBeVisible()
    await goTo('/scan?searchTerm=knee')
    await waitFor(() => expect(path()).toBe('/login'))
  })

  it('shows the remote that owns the address inside the shell, and the not-found page for what it does not know [2.30, 2.37]', async () => {
    placeSnapshot(createNavigationRemote('scan', 'Scan', 'Scan'))
    fakeScripts(() => runs('remote-scan', appAt('/scan', 'Scans')))
    const { goTo } = renderPage(<Pages />, { at: '/scan' })
    expect(await screen.findByRole('heading', { level: 1, name: 'Scans' })).toBeVisible()
    expect(screen.getByRole('complementary', { name: 'Side navigation' })).toBeVisible()
    await goTo('/scan/bogus')
    expect(await screen.findByRole('heading', { level: 1, name: '404 PAGE NOT FOUND' })).toBeVisible()
    expect(
      screen.getByText('Check that you typed the address correctly. Kindly try accessing modules from the left panel.'),
    ).toBeVisible()
  })

  it('leads from the not-found page back to the dashboard [2.30, 2.37]', async () => {
    placeSnapshot()
    const { user, path } = renderPage(<Pages />, { at: '/nowhere' })
    expect(screen.getByRole('complementary', { name: 'Side navigation' })).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Back to Dashboard' }))
    expect(path()).toBe('/dashboard')
  })

  it('shows strangers the not-found page, too, without the navigation [2.30, 2.37]', async () => {
    placeSnapshot()
    renderPage(<Pages />, { at: '/nowhere', as: null })
    expect(await screen.findByRole('heading', { level: 1, name: '404 PAGE NOT FOUND' })).toBeVisible()
    expect(screen.queryByRole('complementary', { name: 'Side navigation' })).toBeNull()
  })

  it('leads to the 403 page, with module and action, what the policy does not permit [2.29, 2.31, 2.38]', async () => {
    placeSnapshot(createNavigationRemote('user', 'User', 'BusinessUser'))
    const page = fakeScripts(() => 'hangs')
    const { path } = renderPage(<Pages />, { at: '/user/detail/1', as: 'staff' })
    expect(await screen.findByRole('heading', { name: '403 Not Authorized' })).toBeVisible()
    expect(screen.getByText('You do not have access to BusinessUser module, List action')).toBeVisible()
    expect(path()).toBe('/not-authorized/BusinessUser/List')
    // The guard judges by the declaration: no code of the remote was asked for.
    expect(page.asked).toEqual([])
  })

  it('goes on where a session ended by itself, and not where somebody was who signed out [2.03]', async () => {
    const Wanted = () => <p>then {returnTo(useLocation().state)}</p>
    placeSnapshot(
      createRemote('remote-entry', { routes: [{ prefix: '/login', guard: 'guest' }] }),
      createNavigationRemote('scan', 'Scan', 'Scan'),
    )
    fakeScripts((url) => (url.includes('remote-entry') ? runs('remote-entry', { App: Wanted }) : 'hangs'))
    const options = { at: '/scan?page=2', answers: [answer(account.logout, null)] }
    const { unmount } = renderPage(<Pages />, options)
    await act(() => session.end('Your session renewal has failed. Please Login again.'))
    expect(await screen.findByText('then /scan?page=2')).toBeVisible()
    unmount()
    renderPage(<Pages />, options)
    await act(() => session.end())
    expect(await screen.findByText('then /dashboard')).toBeVisible()
  })

  it('ends a session whose token has ended, and asks to sign in [2.31, 8.06]', async () => {
    placeSnapshot(login)
    fakeScripts(() => runs('remote-login', appAt('/login', 'Login')))
    jest.spyOn(session, 'isValid').mockReturnValue(false)
    const end = jest.spyOn(session, 'end').mockResolvedValue()
    renderPage(<Pages />, { at: '/dashboard' })
    await waitFor(() =>
      expect(end).toHaveBeenCalledWith('Your session is not valid anymore. Please login again to use the application.'),
    )
  })

  it.each([
    [14, undefined],
    [14.99, undefined],
    [15, 'idle'],
    [16, 'idle'],
  ])(
    'shows who was away for %p of 15 minutes the page, or the sign-in with the reason [4.13, 8.06]',
    async (minutes, idle) => {
      placeSnapshot(login)
      fakeScripts(() => runs('remote-login', appAt('/login', 'Login')))
      const now = Date.now()
      jest.spyOn(Date, 'now').mockReturnValue(now)
      localStorage.setItem('lastActiveTime', String(now - minutes * 60_000))
      const end = jest.spyOn(session, 'end').mockResolvedValue()
      renderPage(<Pages />, {
        at: '/dashboard',
        settings: { idle: { required: true, idleMinutes: 10, timeoutMinutes: 5 } },
      })
      await waitFor(() => expect(end.mock.calls).toEqual(idle ? [[sessionTexts.idledOut]] : []))
      expect(screen.queryAllByRole('heading', { level: 1 })).toHaveLength(idle ? 0 : 1)
    },
  )

  it('keeps the page of who is asked for the password, however long they were away [P27]', async () => {
    placeSnapshot(login, createNavigationRemote('kept', 'Kept', 'Scan'))
    const Typing = () => {
      useUnsaved(true)
      return <p>half a sentence</p>
    }
    fakeScripts(() => runs('remote-kept', { App: Typing }))
    const { goTo, path } = renderPage(<Pages />, { at: '/kept', answers: [answer(account.logout, null)] })
    expect(await screen.findByText('half a sentence')).toBeVisible()
    await act(() => session.end('because'))
    expect(session.get().asksPassword).toBe(true)
    localStorage.setItem('lastActiveTime', String(Date.now() - 60 * 60_000))
    await goTo('/kept?page=2')
    expect(path()).toBe('/kept?page=2')
    expect(screen.getByText('half a sentence')).toBeVisible()
    expect(session.get()).toMatchObject({ asksPassword: true, endedBecause: 'because' })
  })

  it('leads who is signed in from the sign-in page to where they wanted to go [2.03]', async () => {
    placeSnapshot(login, createNavigationRemote('wanted', 'Wanted', 'Scan'))
    fakeScripts((url) => (url.includes('remote-wanted') ? runs('remote-wanted', appAt('/wanted', 'Wanted')) : 'hangs'))
    const { unmount, path } = renderPage(<Pages />, { at: '/login' })
    await waitFor(() => expect(path()).toBe('/dashboard'))
    unmount()
    const state = toReturnState({ pathname: '/wanted', search: '?page=2', hash: '' } as never)
    const again = renderPage(<Pages />, { at: '/login', state })
    await waitFor(() => expect(again.path()).toBe('/wanted?page=2'))
  })

  it('lets nobody be idle where the settings do not ask for it [4.13]', async () => {
    placeSnapshot(login)
    localStorage.setItem('lastActiveTime', String(Date.now() - 60 * 60_000))
    renderPage(<Pages />, {
      at: '/dashboard',
      settings: { idle: { required: false, idleMinutes: 10, timeoutMinutes: 5 } },
    })
    expect(await screen.findByText('This is the Staff dashboard')).toBeVisible()
    expect(session.isValid()).toBe(true)
  })

  it('shows a guest in a frame of its own, and asks for none of its code [P30]', async () => {
    placeSnapshot({ ...createNavigationRemote('visitor', 'Visitor', 'Scan'), guest: { calls: [] } })
    const page = fakeScripts(() => 'http')
    renderPage(<Pages />, { at: '/visitor' })
    expect(await screen.findByTitle('Visitor')).toHaveAttribute('sandbox', 'allow-scripts allow-forms')
    expect(page.asked).toEqual([])
  })

  it('keeps the page while something typed on it is unsaved: the password is asked for above it [P27]', async () => {
    const Typing = () => {
      useUnsaved(true)
      return <p>half a sentence</p>
    }
    placeSnapshot(createNavigationRemote('typing', 'Typing', 'Scan'))
    fakeScripts(() => runs('remote-typing', { App: Typing }))
    const { goTo } = renderPage(<Pages />, { at: '/typing' })
    expect(await screen.findByText('half a sentence')).toBeVisible()
    jest.spyOn(session, 'isValid').mockReturnValue(false)
    const end = jest.spyOn(session, 'end').mockResolvedValue()
    await goTo('/typing?page=2')
    await waitFor(() => expect(end).toHaveBeenCalled())
    expect(screen.getByText('half a sentence')).toBeVisible()
  })
})

describe('a remote that is broken', () => {
  const broken = createNavigationRemote('broken', 'Broken', 'Scan')

  it.each(['http', 'throws', 'empty', 'altered'] as const)(
    '(%s) shows a card in its own place; the rest lives; trying again heals it [P26]',
    async (fate) => {
      const remote = createNavigationRemote(`broken${fate}`, 'Broken', 'Scan')
      placeSnapshot(remote, broken)
      let isBroken = true
      fakeScripts(() => (isBroken ? fate : runs(remote.declaration.name, appAt(`/broken${fate}`, 'It works'))))
      const { user, goTo } = renderPage(<Pages />, { at: `/broken${fate}` })
      addData('It works')
      expect(await screen.findByRole('alert')).toHaveTextContent('Broken cannot be shown right now')
      expect(screen.getByRole('alert')).toHaveTextContent(remote.releaseId)
      await goTo('/dashboard')
      expect(await screen.findByText('This is the Staff dashboard')).toBeVisible()
      await goTo(`/broken${fate}`)
      isBroken = false
      await user.click(await screen.findByRole('button', { name: 'Try again' }))
      expect(await screen.findByRole('heading', { name: 'It works' })).toBeVisible()
    },
  )

  it('that throws while drawing shows the card too, and is drawn again on demand [P26]', async () => {
    const remote = createNavigationRemote('drawing', 'Drawing', 'Scan')
    placeSnapshot(remote)
    let isBroken = true
    const App = () => {
      if (isBroken) throw new Error('thrown while drawing')
      return <Screen title="It works" />
    }
    const asked: string[] = []
    fakeScripts((path) => {
      asked.push(path)
      return runs('remote-drawing', { App })
    })
    const { user } = renderPage(<Pages />, { at: '/drawing' })
    // The name of the failure, which people read out to whoever helps them.
    addData('render')
    expect(await screen.findByRole('alert')).toHaveTextContent('This part stopped because of an error.')
    expect(screen.getByRole('alert')).toHaveTextContent(`remote-drawing · release ${remote.releaseId} · render`)
    // Another version would not help: nobody is asked for one.
    expect(asked.filter((path) => path.startsWith('/releases/live'))).toEqual([])
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'It works' })).toBeVisible()
  })
})
