import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { loadRemote, prefetchModule } from './loadRemote.ts'

jest.mock('@dmp/kit/language', () => ({
  ...jest.requireActual<object>('@dmp/kit/language'),
  language: () => 'de',
  loadTexts: (source: unknown) => mockAsked(source),
}))
const mockAsked = jest.fn(async (_source: unknown) => undefined)

const App = () => null
let number = 0
function place(languages: readonly 'de'[] | undefined) {
  const remote = createRemote(`remote-worded${(number += 1)}`)
  fakeScripts(() => ({
    global: remote.declaration.name.replaceAll('-', '_'),
    container: { get: async () => () => ({ App }) },
  }))
  const releaseId = String(number).padStart(16, '0')
  const entry = `/releases/${remote.declaration.name}/${releaseId}/remoteEntry.js`
  return { ...remote, releaseId, entry, ...(languages ? { languages: [...languages] } : {}) }
}

beforeEach(() => mockAsked.mockClear())
afterEach(() => jest.restoreAllMocks())

it('asks once for what a release says in the language of the page, from the release itself', async () => {
  const remote = place(['de'])
  await prefetchModule(remote, './App')
  await loadRemote(remote, './App')
  await loadRemote(remote, './cards')
  expect(mockAsked.mock.calls).toEqual([
    [
      expect.objectContaining({
        part: remote.declaration.name,
        language: 'de',
        base: `/releases/${remote.declaration.name}/${remote.releaseId}/`,
      }),
    ],
  ])
})

it.each([[[]], [undefined]])('asks for nothing of a release that speaks %j', async (languages) => {
  await loadRemote(place(languages), './App')
  expect(mockAsked).not.toHaveBeenCalled()
})

it('runs a module after its words have come', async () => {
  const words = Promise.withResolvers<undefined>()
  mockAsked.mockReturnValueOnce(words.promise)
  const loaded = jest.fn()
  const loading = loadRemote(place(['de']), './App').then(loaded)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(loaded).not.toHaveBeenCalled()
  words.resolve(undefined)
  await loading
  expect(loaded).toHaveBeenCalledTimes(1)
})
