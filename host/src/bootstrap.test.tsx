import { placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { screen } from '@testing-library/react'
import { start } from './bootstrap.tsx'
import { createRemote, placeSnapshot } from './testing/createRemote.ts'
import { fakeScripts, type ScriptOutcome } from './testing/fakeScripts.ts'

const runs = (name: string): ScriptOutcome => ({
  global: name.replaceAll('-', '_'),
  container: { get: async () => () => ({ App: () => <h1>{name}</h1> }) },
})
const owner = (path: string): string => path.split('/').find((part) => part.startsWith('remote-')) ?? ''
const login = createRemote('remote-login', { routes: [{ prefix: '/login', guard: 'guest' }] })
const register = createRemote('remote-register', { routes: [{ prefix: '/register', guard: 'public' }] })

function placeRoot(at: string): HTMLElement {
  history.replaceState(null, '', at)
  const root = Object.assign(document.createElement('div'), { id: 'root' })
  document.body.append(root)
  return root
}

// Nobody takes these pages down again, and an open channel to other tabs would keep the tests from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
  serve([], placeSettings().apiRoot)
  signInAs(null)
  placeSnapshot(login, register)
})
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  document.getElementById('root')?.remove()
  history.replaceState(null, '', '/')
})

describe('the start of the page', () => {
  it('fetches the part that owns the address, and no other, and draws it into the page', async () => {
    const page = fakeScripts((path) => runs(owner(path)))
    const root = placeRoot('/register')
    await start()
    expect(root).toHaveAttribute('data-watched')
    expect(await screen.findByRole('heading', { name: 'remote-register' })).toBeVisible()
    expect(page.asked).toEqual([register.entry])
  })

  it('fetches the sign-in page for the empty address [2.02]', async () => {
    fakeScripts((path) => runs(owner(path)))
    placeRoot('/')
    await start()
    expect(await screen.findByRole('heading', { name: 'remote-login' })).toBeVisible()
  })

  it('waits a quarter of a second for that part, then draws what is there', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    const slow = createRemote('remote-slow', { routes: [{ prefix: '/slow', guard: 'public' }] })
    placeSnapshot(slow)
    fakeScripts(() => 'hangs')
    placeRoot('/slow')
    let isDrawn = false
    void start().then(() => (isDrawn = true))
    await jest.advanceTimersByTimeAsync(249)
    expect(isDrawn).toBe(false)
    await jest.advanceTimersByTimeAsync(1)
    expect(isDrawn).toBe(true)
  })

  it('says what is wrong with a page that has no place for it', async () => {
    await expect(start()).rejects.toThrow('The page has no #root.')
  })
})
