import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DeviceCookie } from './DeviceCookie.ts'
import { Session } from './Session.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'device-'))
})
afterEach(() => {
  jest.restoreAllMocks()
  rmSync(folder, { recursive: true })
})
const fileAt = () => path.join(folder, 'own.device')
const account = {
  server: new URL('http://dmp.test'),
  email: 'service@north.example',
  password: 'secret',
  askCode: undefined,
}

/** A server that sets cookies; keeps those that it was sent. */
function serverSetting(...setCookies: string[]): (string | undefined)[] {
  const sent: (string | undefined)[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation((_to, init) => {
    sent.push(((init?.headers ?? {}) as Record<string, string>).cookie)
    const headers = new Headers()
    for (const line of setCookies) headers.append('set-cookie', line)
    const tokens = { accessToken: 'a', refreshToken: 'b', expireDate: null }
    return Promise.resolve(Response.json({ data: tokens }, { headers }))
  })
  return sent
}

it('shows the server at the next start what it was given at the last sign-in [P04]', async () => {
  const sent = serverSetting('other=x; Path=/', '__Host-dmp-device=nonce_1.proof-2; Path=/; HttpOnly')
  await new Session(account, new DeviceCookie(fileAt())).token()
  await new Session(account, new DeviceCookie(fileAt())).token()
  expect(sent).toEqual([undefined, '__Host-dmp-device=nonce_1.proof-2'])
  expect(readdirSync(folder)).toEqual(['own.device'])
  if (process.platform !== 'win32') expect(statSync(fileAt()).mode & 0o077).toBe(0)
})

it('keeps what it has where a server sets none', async () => {
  writeFileSync(fileAt(), 'dmp-device=a.b\n')
  const sent = serverSetting('dmp-device=; Max-Age=0', 'session=1')
  await new Session(account, new DeviceCookie(fileAt())).token()
  expect([sent, readFileSync(fileAt(), 'utf8')]).toEqual([['dmp-device=a.b'], 'dmp-device=a.b\n'])
})

it('signs in without, where the file is damaged or cannot be written', async () => {
  writeFileSync(fileAt(), 'dmp-device=a.b\r\nx-injected: 1')
  const sent = serverSetting('dmp-device=c.d')
  await new Session(account, new DeviceCookie(fileAt())).token()
  await new Session(account, new DeviceCookie(path.join(folder, 'missing', 'own.device'))).token()
  expect(sent).toEqual([undefined, undefined])
})
