import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCookies } from './caller.ts'

/** The cookies of a browser, over HTTP or HTTPS, and what the server sends back about them. */
function cookiesOf(cookies: Record<string, string>, publicUrl?: string) {
  const sent: string[] = []
  const reply = {
    setCookie: (name: string, value: string) => sent.push(`${name}=${value}`),
    clearCookie: (name: string) => sent.push(`${name} cleared`),
  }
  const request = { cookies } as unknown as FastifyRequest
  return { sent, cookies: createCookies(request, reply as unknown as FastifyReply, { settings: { publicUrl } }) }
}

describe('the cookie that chooses releases', () => {
  it('is read under the name of the version before, until this version writes it', () => {
    const { cookies, sent } = cookiesOf({ '__Host-dmp-ring': 'before' }, 'https://dmp.example')
    expect(cookies.read('dmp-audience')).toBe('before')
    cookies.set('dmp-audience', 'now', 60)
    expect(sent).toEqual(['__Host-dmp-ring cleared', '__Host-dmp-audience=now'])
  })

  it('is read under its own name where a browser has both, and both go together', () => {
    const { cookies, sent } = cookiesOf({ 'dmp-ring': 'before', 'dmp-audience': 'now' })
    expect(cookies.read('dmp-audience')).toBe('now')
    cookies.clear('dmp-audience')
    expect(sent).toEqual(['dmp-ring cleared', 'dmp-audience cleared'])
  })

  it('leaves the other cookies alone', () => {
    const { cookies, sent } = cookiesOf({ 'dmp-ring': 'before', 'dmp-device': 'device' })
    expect([cookies.read('dmp-device'), cookies.read('dmp-binding')]).toEqual(['device', undefined])
    cookies.set('dmp-device', 'other', 60)
    expect(sent).toEqual(['dmp-device=other'])
  })
})
