import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCookies } from './caller.ts'

/** The cookies of a browser, over HTTP or HTTPS, and what the server sends back about them. */
function cookiesOf(cookies: Record<string, string>, publicUrl?: string) {
  const sent: string[] = []
  const reply = {
    setCookie: (name: string, value: string, { path }: { path: string }) => sent.push(`${name}=${value} at ${path}`),
    clearCookie: (name: string, { path }: { path: string }) => sent.push(`${name} cleared at ${path}`),
  }
  const request = { cookies } as unknown as FastifyRequest
  return { sent, cookies: createCookies(request, reply as unknown as FastifyReply, { settings: { publicUrl } }) }
}

describe('the cookie that chooses releases', () => {
  it('is read under the name of the version before, until this version writes it', () => {
    const { cookies, sent } = cookiesOf({ '__Host-dmp-ring': 'before' }, 'https://dmp.example')
    expect(cookies.read('dmp-audience')).toBe('before')
    cookies.set('dmp-audience', 'now', 60)
    expect(sent).toEqual(['__Host-dmp-ring cleared at /', '__Host-dmp-audience=now at /'])
  })

  it('is read under its own name where a browser has both, and both go together', () => {
    const { cookies, sent } = cookiesOf({ 'dmp-ring': 'before', 'dmp-audience': 'now' })
    expect(cookies.read('dmp-audience')).toBe('now')
    cookies.clear('dmp-audience')
    expect(sent).toEqual(['dmp-ring cleared at /', 'dmp-audience cleared at /'])
  })

  it('leaves the other cookies alone', () => {
    const { cookies, sent } = cookiesOf({ 'dmp-ring': 'before', 'dmp-device': 'device' })
    expect([cookies.read('dmp-device'), cookies.read('dmp-binding')]).toEqual(['device', undefined])
    cookies.set('dmp-device', 'other', 60)
    expect(sent).toEqual(['dmp-device=other at /api/account'])
  })
})

describe('the cookie that binds a session to its browser', () => {
  it('replaces the one that the version before kept to the account calls over HTTP [7.42]', () => {
    const { cookies, sent } = cookiesOf({ 'dmp-binding': 'before' })
    cookies.set('dmp-binding', 'now', 60)
    expect(sent).toEqual(['dmp-binding cleared at /api/account', 'dmp-binding=now at /'])
  })

  it('has one name and place over HTTPS', () => {
    const { cookies, sent } = cookiesOf({}, 'https://dmp.example')
    cookies.set('dmp-binding', 'now', 60)
    expect(sent).toEqual(['__Host-dmp-binding=now at /'])
  })
})
