import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FolderStore } from '../store/folderStore.ts'
import { aStore } from '../testing/aBuild.ts'
import { aKey, register, revoke, type TestKey } from '../testing/signing.ts'
import { openEnvelope, toEnvelope } from './envelope.ts'
import { readPartKeys, rememberKeys, type SeenKeys } from './releaseKeys.ts'

const part = 'remote-scan'
const [ci, other, strange] = [aKey('ci'), aKey('ci-2027'), aKey('strange')]
let store: FolderStore
beforeEach(async () => {
  store = aStore()
  await register(store, part, ci)
})

const place = (number: number): string => path.join(store.folder, 'keys', part, `${number}.json`)
const typeOf = (content: Buffer): string => (JSON.parse(content.toString()) as { payloadType: string }).payloadType
/** What somebody does who may write to the store: a second change, as a real one but for `more`. */
function forge(more: object, signer: TestKey | undefined = ci, payloadType?: string): void {
  const first = readFileSync(place(1))
  const type = typeOf(first)
  const previous = createHash('sha256').update(first).digest('hex')
  const { known: _known, ...change } = openEnvelope(type, first)!.value as { known: unknown }
  const next = { ...change, number: 2, previous, name: strange.name, publicKey: strange.publicKey, known: [], ...more }
  writeFileSync(place(2), toEnvelope(payloadType ?? type, next, signer?.signer))
}
const names = async (): Promise<string[]> =>
  ((await readPartKeys(store, part))?.keys ?? []).map(({ name, revoked }) => (revoked ? `${name} (revoked)` : name))

describe('a change of the keys that somebody wrote into the store [P43]', () => {
  it('is taken where it follows from those before, signed by a key that counts', async () => {
    forge({})
    expect(await names()).toEqual(['ci', 'strange'])
  })

  it.each<[string, () => void, string]>([
    ['signed by nobody', () => forge({}, aKey('nobody')), 'strange was not added by a key that counted'],
    ['signed by itself', () => forge({}, strange), 'strange was not added by a key that counted'],
    ['of another part', () => forge({ part: 'remote-user' }), 'it is about remote-user'],
    ['with another number', () => forge({ number: 3 }), 'it does not follow the one before'],
    ['after another one', () => forge({ previous: 'ab'.repeat(32) }), 'it does not follow the one before'],
    ['after none', () => forge({ previous: null }), 'it does not follow the one before'],
    ['under a name that is there', () => forge({ name: 'ci' }), 'ci is there already'],
    ['with a key that is there', () => forge({ publicKey: ci.publicKey }), 'strange is there already'],
    ['that revokes a key which is not there', () => forge({ change: 'revoke' }), 'there is no key strange'],
    ['of another kind', () => forge({ change: 'keep' }), 'it is missing or no such document'],
    ['that says more', () => forge({ more: 1 }), 'it is missing or no such document'],
    ['in another kind of envelope', () => forge({}, ci, 'application/json'), 'it is missing or no such document'],
    ['in none', () => writeFileSync(place(2), '{}'), 'it is missing or no such document'],
  ])('is refused %s', async (_what, write, words) => {
    write()
    await expect(readPartKeys(store, part)).rejects.toThrow(`in change 2, ${words}`)
  })

  it('is refused, signed by a key that was revoked', async () => {
    await register(store, part, other, ci)
    await revoke(store, part, ci)
    const third = readFileSync(place(3))
    const previous = createHash('sha256').update(third).digest('hex')
    const { publicKey, name } = strange
    const change = { part, number: 4, change: 'add', name, publicKey, known: [], previous, by: 'x', at: 'now' }
    const write = (signer: TestKey) => writeFileSync(place(4), toEnvelope(typeOf(third), change, signer.signer))
    write(ci)
    await expect(readPartKeys(store, part)).rejects.toThrow('strange was not added by a key that counted')
    write(other)
    expect(await names()).toEqual(['ci (revoked)', 'ci-2027', 'strange'])
  })
})

describe('the keys of a part', () => {
  it('are registered once each, by name and by key, also where they are revoked [P43]', async () => {
    await expect(register(store, part, { ...strange, name: 'ci' }, ci)).rejects.toThrow('had the key ci')
    await expect(register(store, part, { ...ci, name: 'again' }, ci)).rejects.toThrow('had the key ci')
    await expect(register(store, part, other)).rejects.toThrow('is added by the signature of one that counts: ci.')
    await register(store, part, other, ci)
    await expect(revoke(store, part, strange)).rejects.toThrow('Name one of ci, ci-2027.')
    await revoke(store, part, ci)
    await expect(revoke(store, part, ci)).rejects.toThrow('has no key ci that counts. Name one of ci-2027.')
    await expect(register(store, part, ci, other)).rejects.toThrow('had the key ci')
    await expect(register(store, part, strange, ci)).rejects.toThrow('of one that counts: ci-2027.')
    await revoke(store, part, other)
    await expect(register(store, part, strange, other)).rejects.toThrow('and all of them are revoked.')
    await expect(revoke(store, part, other)).rejects.toThrow('There is nothing to revoke.')
    expect(await names()).toEqual(['ci (revoked)', 'ci-2027 (revoked)'])
  })

  it('that were seen once are missed after a restart, and more of them are told [P43]', async () => {
    await register(store, part, other, ci)
    const { count, head } = (await readPartKeys(store, part))!
    const seen: [string, SeenKeys][] = []
    const again = (earlier: SeenKeys | undefined): void =>
      rememberKeys(store, new Map(earlier ? [[part, earlier]] : []), (...each) => seen.push(each))
    again(undefined)
    await readPartKeys(store, part)
    await readPartKeys(store, part)
    expect(seen).toEqual([[part, { count, head }]])
    again({ count, head })
    await readPartKeys(store, part)
    expect(seen).toHaveLength(1)
    again({ count: 2, head: 'ab'.repeat(32) })
    await expect(readPartKeys(store, part)).rejects.toThrow('keys that were there are not')
    again({ count: 3, head })
    await expect(readPartKeys(store, part)).rejects.toThrow('keys that were there are not')
  })

  it('are none where a part never had one', async () => {
    expect(await readPartKeys(store, 'remote-user')).toBeUndefined()
  })
})
