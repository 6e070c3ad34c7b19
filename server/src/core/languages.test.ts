import { account, businessUser } from '@dmp/contract'
import { limits } from '@dmp/contract/limits'
import { toRequest } from '../testing/request.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { findLanguage, sayIn } from './languages.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('the language of a refusal', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fi, JA-jp;q=0.9, en;q=0.8', 'ja'],
    ['en-US,de;q=0.5', 'en'],
    ['', undefined],
    [undefined, undefined],
    ['*', undefined],
    ['../../etc/passwd', undefined],
    [`${'x,'.repeat(50_000)}de`, undefined],
  ])('follows %s', (header, language) => {
    expect(findLanguage(header)).toBe(language)
  })

  it('is the one that the caller asked for, and English for whoever asked for none', async () => {
    const { method, url } = toRequest(account.login, {})
    const payload = { email: 'nobody@north.example', password: 'Wrong-Passw0rd!', ClientId: 'dmp-web' }
    const ask = (headers: Record<string, string>) => server.app.inject({ method, url, payload, headers })
    const english = await ask({})
    const german = await ask({ 'accept-language': 'de-CH,de' })
    expect([english.statusCode, german.statusCode]).toEqual([401, 401])
    expect(english.headers['content-language']).toBeUndefined()
    expect(german.headers['content-language']).toBe('de')
    const [inEnglish, inGerman] = [english.json(), german.json()] as { code: string; message: string }[]
    expect(inGerman?.code).toBe(inEnglish?.code)
    expect(inGerman?.message).toBe(sayIn('de', inEnglish?.message ?? ''))
    expect(inGerman?.message).not.toBe(inEnglish?.message)
  })

  it('is that of what is said about a field, too', async () => {
    const caller = await server.signIn('admin')
    const { method, url } = toRequest(businessUser.add, {})
    const reply = await server.app.inject({
      method,
      url,
      payload: {},
      headers: { ...caller.headers, 'accept-language': 'de' },
    })
    expect(reply.statusCode).toBe(400)
    const { fields = [] } = reply.json() as { fields?: { message: string }[] }
    expect(fields.length).toBeGreaterThan(0)
    for (const { message } of fields) expect(message).not.toMatch(/^(?:The|This|Choose)\b/)
  })
})

describe('a sentence', () => {
  it('keeps the values that stand in it', () => {
    const sentence = `Name at most ${limits.apiTokenAddresses} addresses or networks.`
    const said = sayIn('de', sentence)
    expect(said).not.toBe(sentence)
    expect(said).toContain(String(limits.apiTokenAddresses))
  })

  it('that nobody translated is said as it is, and so is what a person typed', () => {
    for (const text of ['No such sentence anywhere.', '', '{name}', 'Name at most', 'constructor'])
      expect(sayIn('de', text)).toBe(text)
  })
})
