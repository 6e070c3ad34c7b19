import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { activate } from '../activate.ts'
import { unpackBaseline } from '../baseline.ts'
import { readRegistry } from '../store/ReleaseStore.ts'
import { publish } from '../publish.ts'
import { aBuild, aFolder, aStore } from '../testing/aBuild.ts'
import { storeWithTwoMoves } from '../testing/releaseCommand.ts'
import { aKey, publishAs, register, runProcess } from '../testing/signing.ts'
import { readSigner } from './keyPair.ts'
import { readPartKeys } from './releaseKeys.ts'

const part = 'remote-scan'
const jsonOf = ({ text }: { text: string }) =>
  JSON.parse(text) as { publicKey: string; keys: unknown; parts: unknown; moves: unknown }

describe('keys of a part, by the command [P43]', () => {
  it('go through their life: made, registered, used, replaced, revoked, and seen in status and history', async () => {
    const store = await storeWithTwoMoves()
    const file = path.join(aFolder(), 'ci.pem')
    const run = (...words: string[]) => runProcess(store, [...words, '--json'], { DMP_RELEASE_KEY_FILE: file })

    const made = await runProcess(store, ['key', 'new', part, '--file', file, '--json'])
    expect(made).toMatchObject({ code: 0 })
    expect(made.text).not.toContain('privateKey')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(jsonOf(await run('key', 'add', part, '--name', 'ci')).keys).toMatchObject([
      { name: 'ci', addedBy: 'ann', publicKey: jsonOf(made).publicKey, revokedAt: null },
    ])

    const signer = readSigner({ DMP_RELEASE_KEY_FILE: file })
    const release = await publish(store, aBuild(part, 'three'), { commit: 'abc', signer })
    await activate(store, { parts: [release] }, { by: 'test' })
    const next = jsonOf(await runProcess(store, ['key', 'new', part, '--json']))
    expect(await run('key', 'add', part, '--name', 'ci-2027', '--public', next.publicKey)).toMatchObject({ code: 0 })
    expect(await run('key', 'revoke', part, '--name', 'ci', '--reason', 'left')).toMatchObject({ code: 0 })

    expect((await runProcess(store, ['key', 'list', part])).text).toMatch(/^ci .* by ann +left\nci-2027 /m)
    expect(jsonOf(await run('status')).parts).toMatchObject([
      { name: 'host', signature: { by: 'nobody', key: null } },
      { name: part, releaseId: release.releaseId, signature: { by: 'key', key: 'ci' } },
    ])
    expect((await runProcess(store, ['status'])).text).toMatch(/^host .* not signed [^]*^remote-scan .* ci /m)
    expect(jsonOf(await run('history')).moves).toMatchObject([
      { parts: [part], signedBy: { [part]: 'ci' } },
      { parts: [part], signedBy: { [part]: null } },
      { signedBy: { host: null, [part]: null } },
    ])
  })

  it.each([
    [
      'a second key without a signature',
      [],
      3,
      /is added by the signature of one that counts: ci\. Set DMP_RELEASE_KEY/,
    ],
    ['a key with a name that is taken', ['--name', 'ci'], 3, /had the key ci \([0-9a-f]{16}\) already/],
    ['a key without a name', ['--name', 'a b'], 1, /Name the key with --name/],
    ['what is no key', ['--public', 'MIIB'], 1, /^That is not an Ed25519 public key/],
  ])('refuse %s', async (_title, more, code, says) => {
    const store = await storeWithTwoMoves()
    await register(store, part, aKey('ci'))
    const words = ['key', 'add', part, '--name', 'ci-2027', '--public', aKey('x').publicKey, ...more]
    const ran = await runProcess(store, words)
    expect(ran).toEqual({ code, text: expect.stringMatching(says) as unknown })
    expect((await readPartKeys(store, part))?.keys).toHaveLength(1)
  })

  it('refuse another key by the signature of a revoked one, and none at all where all are revoked', async () => {
    const store = await storeWithTwoMoves()
    const ci = aKey('ci')
    await register(store, part, ci)
    expect(await runProcess(store, ['key', 'revoke', part, '--name', 'ci'])).toEqual({
      code: 0,
      text: expect.stringContaining('no key left that counts') as unknown,
    })
    const words = ['key', 'add', part, '--name', 'two', '--public', aKey('two').publicKey]
    expect(await runProcess(store, words, { DMP_RELEASE_KEY: ci.privateKey })).toEqual({
      code: 3,
      text: expect.stringMatching(/all of them are revoked\. The platform's team removes/) as unknown,
    })
  })

  it('are written over nothing, into no store, and never repeated', async () => {
    const store = await storeWithTwoMoves()
    const inside = path.join(store.folder, 'ci.pem')
    expect(await runProcess(store, ['key', 'new', part, '--file', inside])).toEqual({
      code: 1,
      text: expect.stringContaining('lies in the release store') as unknown,
    })
    const file = path.join(aFolder(), 'ci.pem')
    await runProcess(store, ['key', 'new', part, '--file', file])
    const before = readFileSync(file, 'utf8')
    expect(await runProcess(store, ['key', 'new', part, '--file', file])).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toBe(before)
    const wrong = await runProcess(store, ['status'], { DMP_RELEASE_KEY: 'my-password-by-mistake' })
    expect(wrong).toEqual({ code: 1, text: expect.stringMatching(/^DMP_RELEASE_KEY is not an Ed25519/) as unknown })
    expect(wrong.text).not.toContain('by-mistake')
  })

  it('that vanish are noticed by whoever saw them', async () => {
    const store = await storeWithTwoMoves()
    await register(store, part, aKey('ci'))
    rmSync(path.join(store.folder, 'keys'), { recursive: true })
    await expect(readPartKeys(store, part)).rejects.toThrow(/keys of remote-scan were altered .* are not\./)
  })

  it('a store of releases of earlier versions opens, takes keys, and rolls back to what was live', async () => {
    const store = aStore()
    const old = (await unpackBaseline(store)).filter(({ name }) => ['host', 'remote-user'].includes(name))
    await activate(store, { parts: old }, { by: 'an earlier version' })
    expect((await runProcess(store, ['status'])).text.match(/ not signed /g)).toHaveLength(2)
    expect(await runProcess(store, ['key', 'list', 'remote-user'])).toEqual({
      code: 0,
      text: 'remote-user has no keys: its releases need no signature.\n',
    })
    const ci = aKey('ci')
    const added = await runProcess(store, ['key', 'add', 'remote-user', '--name', 'ci', '--public', ci.publicKey])
    expect(added.text).toContain('Releases that were live before stay good (1).')
    await activate(store, { parts: [await publishAs(store, 'remote-user', 'new', ci)] }, { by: 'test' })
    expect(await runProcess(store, ['rollback', 'remote-user'])).toMatchObject({ code: 0 })
    expect((await runProcess(store, ['status'])).text).toMatch(/^remote-user .* before its keys /m)
    expect((await readRegistry(store))?.history).toHaveLength(3)
  })
})
