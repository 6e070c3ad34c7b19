import { areValid, toTokens, msLeft, createSessionId } from './tokens.ts'
import type { Tokens } from './types.ts'

const answer = {
  accessToken: 'a',
  refreshToken: 'r',
  idToken: 'i',
  challengeName: null,
  userId: 'u',
  session: null,
  expiresIn: 900,
  expireDate: '2026-01-01T00:00:00.000Z',
}

describe('tokens', () => {
  it('are kept with the fields of the specification and the client-made session id [3.01]', () => {
    expect(toTokens(answer, 'sid', 0)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      idToken: 'i',
      challengeName: null,
      userId: 'u',
      session: null,
      expiresIn: 900,
      expireDate: '1970-01-01T00:14:58.000Z',
      sessionId: 'sid',
    })
  })

  it('end by this machine’s clock when the server says how long they live, however wrong the clock is [P28]', () => {
    const wrongClock = Date.parse('2031-06-01T12:00:00Z')
    const tokens = toTokens(answer, 'sid', wrongClock)
    expect(areValid(tokens, wrongClock + 890_000)).toBe(true)
    expect(areValid(tokens, wrongClock + 897_999)).toBe(true)
    expect(areValid(tokens, wrongClock + 898_000)).toBe(false)
    expect(msLeft(tokens, wrongClock)).toBe(898_000)
  })

  it('take the server’s date when it does not say how long they live [3.01]', () => {
    expect(toTokens({ ...answer, expiresIn: null }, 'sid', 0).expireDate).toBe('2026-01-01T00:00:00.000Z')
    expect(toTokens({ ...answer, expiresIn: null }, 'sid', Date.parse('2025-12-31T23:51:00.000Z')).expiresIn).toBe(540)
  })

  it.each(['accessToken', 'refreshToken', 'userId'])(
    'are refused without their %s, as while a challenge is open [3.02]',
    (name) => {
      expect(() => toTokens({ ...answer, [name]: null, challengeName: 'MFA' }, 'sid')).toThrow('not complete')
    },
  )

  it('have ended already when the server says neither how long they live nor until when [3.01]', () => {
    const tokens = toTokens({ ...answer, expiresIn: null, expireDate: null }, 'sid', 0)
    expect([areValid(tokens, 0), tokens.expireDate]).toEqual([false, '1970-01-01T00:00:00.000Z'])
  })

  it('keep the words that a challenge was answered with, and no word where there is none [3.01]', () => {
    const kept = ({ idToken, challengeName, session }: Tokens) => [idToken, challengeName, session]
    expect(kept(toTokens({ ...answer, challengeName: 'MFA', session: 's' }, 'sid', 0))).toEqual(['i', 'MFA', 's'])
    expect(kept(toTokens({ ...answer, idToken: null }, 'sid', 0))).toEqual(['', null, null])
  })

  it('get a session id that is a UUID, with and without a secure context [3.01]', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(createSessionId()).toMatch(uuid)
    const { randomUUID } = crypto
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    expect(createSessionId()).toMatch(uuid)
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true })
  })
})
