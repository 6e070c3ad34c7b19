import { placeSettings, serve, signInAs } from '@dmp/kit/testing'
import { act, screen, waitFor } from '@testing-library/react'
import { start } from '../bootstrap.tsx'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import type * as Part from '../testing/createSignInPart.tsx'
import type * as Drawing from './offerDrawing.tsx'

const sent = jest.fn(async (values: Part.Sent) => values)
let title = 'Login'

// Nobody takes these pages down again, and an open channel to other tabs would keep the tests from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

// Drawing runs in a thread of Node, whose globals these are.
Object.assign(globalThis, jest.requireActual('node:stream/web'), jest.requireActual('node:util'), {
  setImmediate: (run: () => void) => setTimeout(run),
})

const said: string[] = []
let remotes = 0

/** The page as a server sends it: drawn, and without its code. */
async function placeDrawn(): Promise<HTMLElement> {
  history.replaceState(null, '', '/login')
  // Each with a remote that has not come yet.
  placeSnapshot(createRemote(`remote-login${++remotes}`, { routes: [{ prefix: '/login', guard: 'guest' }] }))
  const markup = await drawElsewhere()
  const root = Object.assign(document.createElement('div'), { id: 'root' })
  root.innerHTML = markup
  root.dataset.drawn = 'page'
  document.body.append(root)
  return root
}

/** As in a thread of its own, with a React of its own. */
async function drawElsewhere(): Promise<string> {
  let markup = ''
  await jest.isolateModulesAsync(async () => {
    const { offerDrawing } = jest.requireActual<typeof Drawing>('./offerDrawing.tsx')
    offerDrawing()
    const { dmpDraw } = globalThis as unknown as { dmpDraw: (path: string) => Promise<string> }
    markup = await dmpDraw('/login')
  })
  // It noted that a part began, and is not there any more to note its end.
  sessionStorage.clear()
  return markup
}

const email = () => screen.getByLabelText<HTMLInputElement>('Email')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')

beforeEach(() => {
  said.length = 0
  title = 'Login'
  sent.mockClear()
  for (const kind of ['error', 'warn'] as const)
    jest.spyOn(console, kind).mockImplementation((...words) => void said.push(words.map(String).join(' ')))
  serve([], placeSettings().apiRoot)
  signInAs(null)
  fakeScripts((path) => ({
    global: (path.split('/')[2] ?? '').replaceAll('-', '_'),
    container: {
      get: async () => () => {
        const part = jest.requireActual<typeof Part>('../testing/createSignInPart.tsx')
        return part.createSignInPart(title, sent)
      },
    },
  }))
})
afterEach(() => {
  jest.restoreAllMocks()
  document.getElementById('root')?.remove()
  history.replaceState(null, '', '/')
})

describe('a page that was drawn before its code', () => {
  it('is adopted as it stands, without a word of React, and keeps what was typed and its place [P99]', async () => {
    const root = await placeDrawn()
    const before = email()
    before.value = 'ann@example.org'
    password().value = 'secret'
    password().focus()
    password().setSelectionRange(2, 4)
    await act(start)
    await waitFor(() => expect(root.dataset.drawn).toBeUndefined())
    expect(said).toEqual([])
    expect(email()).toBe(before)
    expect([email().value, password().value]).toEqual(['ann@example.org', 'secret'])
    expect(password()).toHaveFocus()
    expect([password().selectionStart, password().selectionEnd]).toEqual([2, 4])
    expect(screen.getByRole('button', { name: 'Submit' })).toBeEnabled()
  })

  it('answers Enter that was pressed before [P99]', async () => {
    const root = await placeDrawn()
    email().value = 'ann@example.org'
    password().value = 'secret'
    Object.assign(root, { dmpHeld: { pressed: password(), isEnter: true } })
    await act(start)
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
    expect(sent).toHaveBeenCalledWith({ email: 'ann@example.org', password: 'secret' })
  })

  it('says what is missing where Enter came too early [P99]', async () => {
    const root = await placeDrawn()
    email().value = 'ann@example.org'
    Object.assign(root, { dmpHeld: { pressed: email(), isEnter: true } })
    await act(start)
    expect(await screen.findByText('This is missing.')).toBeVisible()
    expect(sent).not.toHaveBeenCalled()
  })

  it('is drawn anew where the code draws another, with what was typed and the focus [P99]', async () => {
    const root = await placeDrawn()
    title = 'Sign in'
    const before = email()
    before.value = 'ann@example.org'
    password().value = 'secret'
    password().focus()
    await act(start)
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(email()).not.toBe(before)
    expect([email().value, password().value]).toEqual(['ann@example.org', 'secret'])
    expect(password()).toHaveFocus()
    expect(said.join()).toContain('The page was drawn anew.')
    await waitFor(() => expect(root.dataset.drawn).toBeUndefined())
  })
})
