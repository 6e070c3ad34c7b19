import { dataWord, personName } from './dataWords.ts'
import { giveTexts, loadTexts } from './loadTexts.ts'
import { countTexts, subscribeToTexts, textsByPart } from './textsByPart.ts'

const base = '/releases/host/0123456789abcdef/'
const load = (language: 'de' | 'en' = 'de', part = 'host') => loadTexts({ part, language, locale: language, base })

function serveFile(answer: () => Promise<Response> | Response): string[] {
  const asked: string[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    asked.push(String(url))
    return Promise.resolve(answer())
  })
  return asked
}
const json = (value: unknown): Response => ({ ok: true, status: 200, json: () => Promise.resolve(value) }) as Response

beforeEach(() => {
  globalThis.fetch ??= () => Promise.reject(new Error('offline'))
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  jest.restoreAllMocks()
  delete textsByPart.dmpTexts
})

describe('the texts of a part', () => {
  it('come from its own release, and are said by it alone', async () => {
    const asked = serveFile(() => json({ Save: 'Speichern', Activated: 'Aktiviert' }))
    await load()
    expect(asked).toEqual([`http://localhost${base}texts/de.json`])
    expect(textsByPart.dmpTexts?.host?.('Save')).toBe('Speichern')
    expect(textsByPart.dmpTexts?.['remote-scan']).toBeUndefined()
  })

  it('are asked for by nobody where the page around the frame has given them', async () => {
    const asked = serveFile(() => json({ Save: 'Sichern' }))
    giveTexts({ 'remote-guest': { Save: 'Speichern' } })
    await load('de', 'remote-guest')
    await load('de', 'remote-other')
    expect(asked).toHaveLength(1)
    expect(['remote-guest', 'remote-other'].map((part) => textsByPart.dmpTexts?.[part]?.('Save'))).toEqual([
      'Speichern',
      'Sichern',
    ])
  })

  it('are checked by the browser where the page knows their hash [P30]', async () => {
    serveFile(() => json({ Save: 'Speichern' }))
    await load()
    await loadTexts({ part: 'host', language: 'de', locale: 'de', base, integrity: 'sha384-abc' })
    const asked = jest.mocked(fetch).mock.calls.map(([, options]) => options?.integrity)
    expect(asked).toEqual([undefined, 'sha384-abc'])
  })

  it('are there for scripts that looked for them before', async () => {
    const seen = (textsByPart.dmpTexts = {})
    serveFile(() => json({ Save: 'Speichern' }))
    await load()
    expect(seen).toHaveProperty('host')
  })

  it('are not asked for in English', async () => {
    const asked = serveFile(() => json({}))
    await load('en')
    expect(asked).toEqual([])
  })

  it.each([
    ['is not there', () => ({ ok: false, status: 404, url: 'x' }) as Response],
    ['does not come', () => Promise.reject(new TypeError('offline'))],
    [
      'is no catalogue',
      () => ({ ok: true, status: 200, json: () => Promise.reject(new SyntaxError('no JSON')) }) as Response,
    ],
  ])('are English where the file %s', async (_what, answer) => {
    serveFile(answer)
    await expect(load()).resolves.toBeUndefined()
    expect(textsByPart.dmpTexts?.host).toBeUndefined()
    expect(dataWord('Activated')).toBe('Activated')
  })

  describe('that are late', () => {
    const missing = () => Promise.reject(new TypeError('offline'))
    beforeEach(() => jest.useFakeTimers())
    afterEach(() => jest.useRealTimers())

    it('hold the part up for four seconds at most, and are said from then on that they are there', async () => {
      let arrive: (response: Response) => void = () => undefined
      serveFile(() => new Promise((resolve) => (arrive = resolve)))
      const told = jest.fn()
      const stop = subscribeToTexts(told)
      const loading = load()
      await jest.advanceTimersByTimeAsync(4000)
      await loading
      expect(textsByPart.dmpTexts?.host).toBeUndefined()
      const before = countTexts()
      arrive(json({ Save: 'Speichern' }))
      await jest.advanceTimersByTimeAsync(0)
      expect(textsByPart.dmpTexts?.host?.('Save')).toBe('Speichern')
      expect(told).toHaveBeenCalledTimes(1)
      expect(countTexts()).toBe(before + 1)
      stop()
    })

    it('are asked for again after a second, past the cache', async () => {
      const answers = [missing, missing, () => json({ Save: 'Speichern' })]
      const asked = serveFile(() => answers.shift()!())
      await load()
      await jest.advanceTimersByTimeAsync(1000)
      expect(asked).toHaveLength(2)
      await jest.advanceTimersByTimeAsync(2000)
      expect(textsByPart.dmpTexts?.host?.('Save')).toBe('Speichern')
      expect(jest.mocked(fetch).mock.calls.map(([, options]) => options?.cache)).toEqual([
        'default',
        'reload',
        'reload',
      ])
      await jest.advanceTimersByTimeAsync(300_000)
      expect(asked).toHaveLength(3)
    })

    it('are asked for at once when the line is back', async () => {
      const answers = [missing, () => json({ Save: 'Speichern' })]
      serveFile(() => answers.shift()!())
      await load()
      window.dispatchEvent(new Event('online'))
      await jest.advanceTimersByTimeAsync(0)
      expect(textsByPart.dmpTexts?.host?.('Save')).toBe('Speichern')
    })

    it('are given up after some minutes', async () => {
      const asked = serveFile(missing)
      await load()
      await jest.advanceTimersByTimeAsync(3_600_000)
      expect(asked).toHaveLength(9)
    })
  })

  it('translate the title before a name, and nothing else of it', async () => {
    serveFile(() => json({ Mr: 'Herr', Data: 'Daten' }))
    await load()
    expect(['Mr Noah Weber', 'Mr', 'Data Mr Weber', 'Nora Lind', ''].map(personName)).toEqual([
      'Herr Noah Weber',
      'Mr',
      'Data Mr Weber',
      'Nora Lind',
      '',
    ])
  })

  it('translate words of the data, and leave people’s own words', async () => {
    serveFile(() => json({ Activated: 'Aktiviert' }))
    await load()
    expect([dataWord('Activated'), dataWord('Nora Lind'), dataWord('__proto__')]).toEqual([
      'Aktiviert',
      'Nora Lind',
      '__proto__',
    ])
  })
})
