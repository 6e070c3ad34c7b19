import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { RegistryMove } from '@dmp/contract/release'
import { activate, rollback } from '../activate.ts'
import { startCanary } from '../canary.ts'
import { release } from '../cli.ts'
import type { HistoryFile } from '../historyFile.ts'
import { hashMove } from '../moveHash.ts'
import { publish } from '../publish.ts'
import { readRegistry, swapRegistry } from '../store/ReleaseStore.ts'
import { aBuild, aFolder, aStore } from '../testing/aBuild.ts'
import { aKey, publishAs, register } from '../testing/signing.ts'
import {
  captureOutput,
  defaults,
  printed,
  printedJson,
  publishScan,
  runOn,
  storeWithTwoMoves,
} from '../testing/releaseCommand.ts'

captureOutput()

/** A part whose release went live, to a canary of a named person, and back. */
async function aHistory() {
  const store = await storeWithTwoMoves()
  const { releaseId } = await publishScan(store, 'three')
  await startCanary(
    store,
    { name: 'remote-scan', releaseId },
    { percent: 0, users: ['ada@clinic.example'] },
    { by: 'ann' },
  )
  await rollback(store, { part: 'remote-scan', by: 'bob', reason: 'rows were missing' })
  const file = path.join(aFolder(), 'history.json')
  expect(await runOn(store, ['history', 'remote-scan', '--export', file])).toBe(0)
  return { store, file }
}

const read = (file: string): HistoryFile => JSON.parse(readFileSync(file, 'utf8')) as HistoryFile
/** Without a store: the check stands on the file alone. */
const verify = (file: string, ...more: string[]) => release(['history', '--verify', file, ...more, '--json'], defaults)
const rewrite = (file: string, change: (history: HistoryFile) => unknown): void => {
  const history = structuredClone(read(file))
  change(history)
  writeFileSync(file, JSON.stringify(history))
}

describe('the history of a part as a file [P85]', () => {
  it('is checked anywhere, and names nobody who got a canary', async () => {
    const { file } = await aHistory()
    expect(await verify(file)).toBe(0)
    expect(printedJson()).toMatchObject({ history: { moves: 4, others: 0, unchained: 0, problems: [] } })
    expect(readFileSync(file, 'utf8')).not.toContain('ada@clinic.example')
    expect(printed[0]).toContain(String((printedJson()['history'] as { head: string }).head))
  })

  it.each<[string, (history: HistoryFile) => unknown, string]>([
    ['another author', ({ moves }) => (moves[0]!.move!.by = 'eve'), 'Move 4 was altered.'],
    ['a reason that is gone', ({ moves }) => delete moves[0]!.move!.reason, 'Move 4 was altered.'],
    [
      'an author with the hash that fits',
      ({ moves }) => {
        moves[1]!.move!.by = 'eve'
        moves[1]!.hash = 'f'.repeat(64)
      },
      'Move 4 does not follow move 3',
    ],
    ['another release', ({ moves }) => (moves[0]!.releaseId = 'f'.repeat(16)), 'Move 4 names another release'],
    [
      'an altered snapshot',
      ({ documents, moves }) => {
        const key = `snapshots/${moves[0]!.move!.snapshot}.json`
        documents[key] = documents[key]!.replace(/"releaseId":"\w{16}"/, `"releaseId":"${'f'.repeat(16)}"`)
      },
      'of move 4 is missing or was altered',
    ],
    [
      'an altered release',
      ({ documents }) => {
        const key = Object.keys(documents).find((name) => name.endsWith('release.json'))!
        documents[key] = documents[key]!.replace('"entry"', '"entry2": "x", "entry"')
      },
      'release',
    ],
    ['another number of a move', ({ moves }) => (moves[0]!.version = 9), 'Move 9 was altered.'],
    ['another move before it', ({ moves }) => (moves[0]!.previous = 'f'.repeat(64)), 'Move 4 was altered.'],
    [
      'a snapshot that is gone',
      ({ documents, moves }) => delete documents[`snapshots/${moves[0]!.move!.snapshot}.json`],
      'of move 4 is missing or was altered',
    ],
    [
      'a move of another part, with the hash that fits',
      ({ moves }) => {
        moves[0]!.move!.parts = ['remote-other']
        moves[0]!.hash = hashMove({ ...moves[0]!.move!, parts: ['remote-other'] } as RegistryMove)
      },
      'Move 4 is not about remote-scan.',
    ],
    ['a move that stands there twice', ({ moves }) => moves.unshift(moves[0]!), 'stands in a wrong place'],
    ['moves in another order', ({ moves }) => moves.reverse(), 'stands in a wrong place'],
  ])('is refused with %s', async (_what, change, says) => {
    const { file } = await aHistory()
    rewrite(file, change)
    expect(await verify(file)).toBe(3)
    expect(printedJson()['error']).toContain(says)
  })

  it('says which key of the part signed what, and is refused where a signature was altered', async () => {
    const { store, file } = await aHistory()
    const key = aKey('ci')
    await register(store, 'remote-scan', key)
    const signed = await publishAs(store, 'remote-scan', 'signed', key)
    await activate(store, { parts: [signed] }, { by: 'ann' })
    await runOn(store, ['history', 'remote-scan', '--export', file])
    expect(await verify(file)).toBe(0)
    expect(printedJson()).toMatchObject({
      history: { releases: expect.arrayContaining([{ releaseId: signed.releaseId, signedBy: 'ci' }]) as unknown },
    })
    rewrite(file, ({ documents }) => {
      const place = Object.keys(documents).find((name) => name.endsWith('.dsse.json'))!
      documents[place] = documents[place]!.replace(/"sig": "..../, '"sig": "AAAA')
    })
    expect(await verify(file)).toBe(3)
    expect(printedJson()['error']).toContain('The signature of release')
    rewrite(file, ({ documents }) => delete documents['keys/remote-scan/1.json'])
    // Without its keys a file is one of a part that has none: who knows a key says so.
    expect(await verify(file)).toBe(0)
    expect(await verify(file, '--public', key.publicKey)).toBe(3)
    await runOn(store, ['history', 'remote-scan', '--export', file])
    expect(await verify(file, '--public', key.publicKey)).toBe(0)
  })

  it('goes on from an earlier file, which a history written anew does not', async () => {
    const { store, file } = await aHistory()
    const earlier = path.join(aFolder(), 'earlier.json')
    writeFileSync(earlier, readFileSync(file))
    const { releaseId } = await publishScan(store, 'four')
    await startCanary(store, { name: 'remote-scan', releaseId }, { percent: 1 }, { by: 'ann' })
    await runOn(store, ['history', 'remote-scan', '--export', file])
    expect(await verify(file, '--earlier', earlier)).toBe(0)
    // The newest moves are gone from the later file.
    expect(await verify(earlier, '--earlier', file)).toBe(3)
    expect(printedJson()['error']).toContain('Move 5 was there, and is not any more.')
    const ofHost = path.join(aFolder(), 'host.json')
    await runOn(store, ['history', 'host', '--export', ofHost])
    expect(await verify(file, '--earlier', ofHost)).toBe(3)
    expect(printedJson()['error']).toContain('The earlier history is of host.')
    const other = await aHistory()
    expect(await verify(other.file, '--earlier', earlier)).toBe(3)
    expect(printedJson()['error']).toContain('was another one in the earlier history')
  })

  it('goes on over moves of other parts, of which it tells nothing but their hash', async () => {
    const { store, file } = await aHistory()
    const other = await publish(store, aBuild('remote-other', 'one'), { commit: 'abc' })
    await activate(store, { parts: [other] }, { by: 'zoe', reason: 'a secret' })
    const { releaseId } = await publishScan(store, 'four')
    await activate(store, { parts: [{ name: 'remote-scan', releaseId }] }, { by: 'ann' })
    await runOn(store, ['history', 'remote-scan', '--export', file])
    expect(await verify(file)).toBe(0)
    expect(printedJson()).toMatchObject({ history: { moves: 5, others: 1, unchained: 0, problems: [] } })
    expect(readFileSync(file, 'utf8')).not.toMatch(/zoe|a secret/)
    rewrite(file, ({ moves }) => (moves[1]!.hash = 'f'.repeat(64)))
    expect(await verify(file)).toBe(3)
    expect(printedJson()['error']).toContain('Move 6 does not follow move 5')
  })

  it('counts the moves beside which the registry has let one go, and refuses none for it', async () => {
    const { store, file } = await aHistory()
    const registry = (await readRegistry(store))!
    const history = registry.history.filter(({ version }) => version !== 3)
    await swapRegistry(store, { ...registry, version: registry.version + 1, history })
    await runOn(store, ['history', 'remote-scan', '--export', file])
    expect(await verify(file)).toBe(0)
    expect(printedJson()).toMatchObject({ history: { moves: 3, unchained: 1, problems: [] } })
  })

  it('is not made of a part that the store does not know, or of what is no such file', async () => {
    const { store, file } = await aHistory()
    expect(await runOn(store, ['history', 'remote-other', '--export', file])).toBe(1)
    expect(await runOn(store, ['history', '--export', file])).toBe(1)
    expect(await runOn(aStore(), ['history', 'remote-scan', '--export', file])).toBe(1)
    expect(printed.at(-1)).toContain('Nothing is live in this store yet.')
    writeFileSync(file, '{"format": "another"}')
    expect(await verify(file)).toBe(1)
    expect(await verify(`${file}.gone`)).toBe(1)
  })
})
