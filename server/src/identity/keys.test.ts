import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSettings } from '../settings/settings.ts'
import { readKeys } from './keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-keys-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const keysOf = (name: string, variables: Record<string, string> = {}) =>
  readKeys(readSettings({ DMP_DEMO: '1', DMP_DATA_DIR: join(folder, name), ...variables }))
const pem = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

describe('the keys of the demo', () => {
  it('are made once, in a folder that need not be there, and nobody else on the machine may read them [P23]', async () => {
    const first = await keysOf('a/b')
    const again = await keysOf('a/b')
    expect([again.kid, again.digest('code', 'x')]).toEqual([first.kid, first.digest('code', 'x')])
    expect(statSync(join(folder, 'a/b/demo-keys.json')).mode & 0o777).toBe(0o600)
    expect((await keysOf('other')).kid).not.toBe(first.kid)
  })

  it('stand in for the one of the two that is not set', async () => {
    const [secret, other, key] = [
      await keysOf('half', { DMP_SECRET: 's'.repeat(32) }),
      await keysOf('half', { DMP_SECRET: 't'.repeat(32) }),
      await keysOf('half', { DMP_SIGNING_KEY: pem('ed25519') }),
    ]
    expect([secret.kid === other.kid, secret.digest('code', 'x') === other.digest('code', 'x')]).toEqual([true, false])
    expect([key.kid === secret.kid, key.digest('code', 'x') === (await keysOf('half')).digest('code', 'x')]).toEqual([
      false,
      true,
    ])
  })
})

it('a key of another kind is refused with the way to make a right one', async () => {
  await expect(keysOf('wrong', { DMP_SIGNING_KEY: pem('x25519') })).rejects.toThrow(
    'openssl genpkey -algorithm ed25519',
  )
})
