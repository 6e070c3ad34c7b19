import { loadTexts } from '@dmp/kit/language'
import { Route, Routes } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { addData } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { renderPage } from '../testing/renderPage.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { Pages } from '../pages/Pages.tsx'

const scan = createRemote('remote-scan', { routes: [{ prefix: '/scan', guard: 'session' }] })
const App = () => (
  <Routes>
    <Route
      path="/scan"
      element={
        <Screen title="Share a scan">
          <label>
            Reason <input />
          </label>
        </Screen>
      }
    />
  </Routes>
)
const german = { 'Share a scan': 'Einen Scan freigeben', Reason: 'Grund' }
const page = globalThis as unknown as { dmpTexts: Record<string, unknown> }

/** The page speaks English until somebody lets the catalogue come. */
function loadLate(answers: (() => Promise<Response>)[]): void {
  const others = globalThis.fetch
  addData(german)
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((url, init) => (String(url).endsWith('texts/de.json') ? answers.shift()!() : others(url, init)))
  void loadTexts({ part: 'page', language: 'de', locale: 'de', base: '/releases/remote-scan/1/' })
}
const catalogue = () => Promise.resolve({ ok: true, json: () => Promise.resolve(german) } as unknown as Response)

describe('a catalogue that comes after its part', () => {
  const { page: english } = page.dmpTexts
  beforeEach(() => {
    jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    placeSnapshot(scan)
    fakeScripts(() => ({ global: 'remote_scan', container: { get: async () => () => ({ App }) } }))
  })
  afterEach(() => {
    page.dmpTexts.page = english
    jest.restoreAllMocks()
  })

  it('translates what is on the screen, and what was typed stays [P29]', async () => {
    const { user } = renderPage(<Pages />, { at: '/scan' })
    await user.type(await screen.findByLabelText('Reason'), 'Second opinion')
    let arrive: () => void = () => undefined
    loadLate([() => new Promise((resolve) => (arrive = () => resolve(catalogue())))])
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Share a scan')
    await act(async () => arrive())
    expect(await screen.findByRole('heading', { level: 1, name: 'Einen Scan freigeben' })).toBeVisible()
    expect(screen.getByLabelText('Grund')).toHaveValue('Second opinion')
    expect(screen.getByLabelText('Grund')).toHaveFocus()
    expect(document.title).toContain('Einen Scan freigeben')
  })

  it('is asked for again when it failed', async () => {
    renderPage(<Pages />, { at: '/scan' })
    await screen.findByLabelText('Reason')
    loadLate([() => Promise.reject(new TypeError('offline')), catalogue])
    await act(async () => undefined)
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByLabelText('Grund')).toBeVisible()
  })
})
