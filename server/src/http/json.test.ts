import { parseJson } from './json.ts'
import { startServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const said = async (payload: string) =>
  (
    await server.app.inject({
      method: 'POST',
      url: '/api/account/login',
      headers: { 'content-type': 'application/json' },
      payload,
    })
  ).json<{ message: string }>().message

it.each(['__proto__', 'constructor', 'prototype'])(
  'takes no property called %s, however deep it lies, also where any name is taken [P16]',
  async (name) => {
    expect(await said(`{"${name}":1}`)).toBe('Unknown property.')
    for (const text of [`{"${name}":1}`, `{"a":[{"${name}":{}}]}`])
      expect(() => parseJson(text)).toThrow('Unknown property.')
    expect(parseJson(`{"a":"${name}"}`)).toEqual({ a: name })
  },
)

it('knows the properties of one object from those of another: they may have the same names [P16]', async () => {
  expect(await said('{"a":{"b":1},"b":2,"c":[{"b":3},{"b":4}]}')).not.toBe('A property occurs twice.')
  expect([await said('{"a":{"b":1},"a":2}'), await said('{"a":[],"b" :1,"b"\n:2}')]).toEqual([
    'A property occurs twice.',
    'A property occurs twice.',
  ])
  expect(await said(`{"a":[${Array(30).fill('{"b":[]}').join()}]}`)).not.toMatch(/nested/)
})

it('takes JSON that is nested twenty levels deep, and none that is deeper [P16]', async () => {
  const send = async (levels: number) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/account/login',
      headers: { 'content-type': 'application/json' },
      payload: '['.repeat(levels) + ']'.repeat(levels),
    })
    return answer.json<{ message: string }>().message
  }
  expect(await send(20)).not.toMatch(/nested/)
  expect(await send(21)).toBe('This JSON is nested too deeply.')
})

it('reads little of what strangers send, and of what people send as much as before [P16, P18]', async () => {
  const send = async (url: string, bytes: number, headers = {}) =>
    server.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: `{"sessionId":"${'x'.repeat(bytes)}"}`,
    })
  const { headers } = await server.signIn('staff')
  expect((await send('/api/account/logout', 20_000)).statusCode).toBe(413)
  expect((await send('/api/account/logout', 10_000)).statusCode).toBe(400)
  expect((await send('/api/account/announceLaunch', 90_000, headers)).statusCode).toBe(400)
})

it('knows a property by its name, however it is written [P16]', async () => {
  expect(await said('{"a":1,"\\u0061":2}')).toBe('A property occurs twice.')
  expect(await said('{"\\u005f_proto__":1}')).toBe('Unknown property.')
  expect(await said('{"a":1,"a')).toBe('This is not JSON.')
  expect(parseJson('{"":1,"a\\"b":2}')).toEqual({ '': 1, 'a"b': 2 })
})

it('takes a text as long as a body may be, whatever stands in it [P16, P57]', async () => {
  for (const text of ['QUJD'.repeat(3_900_000), '\\'.repeat(2_000_000), '"'.repeat(2_000_000), '{['.repeat(2_000_000)])
    expect(parseJson(JSON.stringify({ content: text, after: [] }))).toEqual({ content: text, after: [] })
  expect(() => parseJson(`{"a":"${'x'.repeat(9_000_000)}`)).toThrow('This is not JSON.')
  expect(() => parseJson(`{"a":"${'x'.repeat(9_000_000)}","a":1}`)).toThrow('A property occurs twice.')
})

it('reads no further where there are more parts than any payload has [P16, P18]', () => {
  expect(() => parseJson(`[${'[],'.repeat(199_999)}[]]`)).toThrow('This JSON has too many parts.')
  expect(() => parseJson(`[${'"",'.repeat(300_000)}`)).toThrow('This JSON has too many parts.')
  const names = Array.from({ length: 2001 }, (_, index) => `"n${index}":0`)
  expect(() => parseJson(`{"a":{${names.join()}}}`)).toThrow('An object of this JSON has too many properties.')
  expect(parseJson(`{"a":{${names.slice(1).join()}},"b":{${names.slice(1).join()}}}`)).toHaveProperty('b.n2000', 0)
})
