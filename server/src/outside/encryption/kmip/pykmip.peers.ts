import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../../../testing/childServer.ts'
import { createTestMasterKey } from '../../../testing/objects.ts'
import { createAuthority, writeKmipFiles, type Authority } from '../../testing/certificates.ts'
import { EncryptionInTests } from '../../testing/encryptionInTests.ts'
import { itIsAMasterKey } from '../../testing/masterKeyTable.ts'
import { startPykmip, type Pykmip } from '../../testing/pykmip.ts'

/** A server that others wrote, over mutual TLS; `kmipFaults.test.ts` and `kmipRefusal.test.ts` ask one at the edge. */

const keys = EncryptionInTests.create()
const folder = mkdtempSync(join(tmpdir(), 'dmp-pykmip-'))
let authority: Authority
let kmip: Pykmip
let variables: Record<string, string>

beforeAll(async () => {
  authority = await createAuthority('Clinic')
  kmip = await startPykmip(folder, authority)
  variables = {
    DMP_KMIP_ADDRESS: `localhost:${kmip.port}`,
    ...writeKmipFiles(folder, authority.cert, await authority.issue({ name: 'dmp', purpose: 'clientAuth' })),
    DMP_ENCRYPTION_KEY: `kmip:${kmip.keys.master}`,
  }
})
afterAll(async () => {
  await (kmip as Pykmip | undefined)?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a master key in PyKMIP [P44]', () => {
  itIsAMasterKey(keys, () => variables)

  it('hands over to another one of the same service', async () => {
    const both = { ...variables, DMP_ENCRYPTION_KEY: `kmip:${kmip.keys.next} kmip:${kmip.keys.master}` }
    const sealed = await keys.seal(await keys.open(variables), 'kept')
    expect(await (await keys.open(both)).rewrap()).toBe(1)
    const next = await keys.open({ ...variables, DMP_ENCRYPTION_KEY: `kmip:${kmip.keys.next}` })
    expect(await keys.unseal(next, sealed)).toBe('kept')
  })

  it('still opens with a key that was ended, which wraps nothing new', async () => {
    const ended = { ...variables, DMP_ENCRYPTION_KEY: `kmip:${kmip.keys.ended}` }
    expect(await keys.refused(ended)).toContain('but it is Deactivated, and only an active key wraps.')
  })
})

describe('a start that PyKMIP does not let through ends with a sentence [P21, P44]', () => {
  const refusedKey = (key: string): Promise<string> => keys.refused({ ...variables, DMP_ENCRYPTION_KEY: `kmip:${key}` })
  const as = async (by: Authority, more: Parameters<Authority['issue']>[0]): Promise<string> => {
    const other = mkdtempSync(join(folder, 'client-'))
    return keys.refused({ ...variables, ...writeKmipFiles(other, authority.cert, await by.issue(more)) })
  }

  it('where the key is unknown, not active or for other things', async () => {
    expect(await refusedKey('4711')).toContain('has no key 4711 for the certificate')
    expect(await refusedKey(kmip.keys.inactive)).toContain(
      'but it is Pre-Active, and only an active key wraps. Activate it',
    )
    expect(await refusedKey(kmip.keys.decryptOnly)).toContain('but not for Encrypt. Its usage mask needs Encrypt and')
  })

  it('where the client is another one, has no such purpose, or comes from a stranger', async () => {
    expect(await as(authority, { name: 'somebody', purpose: 'clientAuth' })).toContain(
      `does not let the certificate of DMP_KMIP_CERTIFICATE_FILE Encrypt with the key ${kmip.keys.master} (Permission Denied)`,
    )
    expect(await as(authority, { name: 'dmp', purpose: 'serverAuth' })).toMatch(
      /refuses the certificate|does not accept the certificate|without an answer/,
    )
    expect(await as(await createAuthority('Strangers'), { name: 'dmp', purpose: 'clientAuth' })).toMatch(
      /refuses the certificate of DMP_KMIP_CERTIFICATE_FILE|without an answer/,
    )
  })

  it('where its certificate is for another name or from another authority', async () => {
    expect(await keys.refused({ ...variables, DMP_KMIP_ADDRESS: `127.0.0.1:${kmip.port}` })).toMatch(
      /shows a certificate that does not pass \(ERR_TLS_CERT_ALTNAME_INVALID\), so nothing was sent/,
    )
    const other = mkdtempSync(join(folder, 'ca-'))
    const client = await authority.issue({ name: 'dmp', purpose: 'clientAuth' })
    const files = writeKmipFiles(other, (await createAuthority('Strangers')).cert, client)
    expect(await keys.refused({ ...variables, ...files })).toMatch(
      /does not pass \((?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/,
    )
  })
})

it('npm run admin -- keys rotate --master goes to PyKMIP and back', async () => {
  const local = createTestMasterKey()
  const dataDir = join(folder, 'data')
  const admin = (masters: string, ...words: string[]) =>
    startChild({ ...variables, DMP_DEMO: '1', DMP_DATA_DIR: dataDir, DMP_ENCRYPTION_KEY: masters }, 'admin.ts', [
      'keys',
      ...words,
    ]).ended
  const kept = `kmip:${kmip.keys.master}`
  const steps = [
    await admin(kept, 'rotate', '--organization', 'North-Clinic'),
    await admin(`${local} ${kept}`, 'rotate', '--master'),
    await admin(`${kept} ${local}`, 'rotate', '--master'),
  ]
  expect(steps.map(({ code, errors }) => [code, errors])).toEqual(steps.map(() => [0, '']))
  expect(steps.map(({ out }) => out)).toEqual([
    expect.stringContaining('North-Clinic has the data key'),
    expect.stringMatching(/^1 data keys were wrapped anew\. All are wrapped by local:/m),
    expect.stringContaining(`1 data keys were wrapped anew. All are wrapped by ${kept} now`),
  ])
}, 240_000)
