import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Release } from '@dmp/contract/release'
import { activate } from '../activate.ts'
import { toIntegrity } from '../store/releaseFiles.ts'
import type { FolderStore } from '../store/folderStore.ts'
import { storeWithTwoMoves } from '../testing/releaseCommand.ts'
import { aKey, publishAs, register, revoke, runProcess } from '../testing/signing.ts'

const part = 'remote-scan'
const [ci, other, strange] = [aKey('ci'), aKey('ci-2027'), aKey('strange')]

interface Place {
  readonly store: FolderStore
  /** A file beside a release. */
  at(release: Release, file: string): string
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))
const signatureOf = (key: typeof ci): string => `provenance.${key.keyId}.dsse.json`

/** A part with the key ci, and a release that ci signed. */
async function signed({ store }: Place): Promise<Release> {
  await register(store, part, ci)
  return publishAs(store, part, 'three', ci)
}

interface Case {
  readonly title: string
  /** Returns the release that is then to go live. */
  prepare(place: Place): Promise<Release>
  readonly code: 0 | 1 | 3
  readonly says: RegExp
}

const cases: readonly Case[] = [
  {
    title: 'a part without keys, not signed: as before',
    prepare: ({ store }) => publishAs(store, part, 'three'),
    code: 0,
    says: /is live/,
  },
  {
    title: 'a part without keys, signed by whomever: as before',
    prepare: ({ store }) => publishAs(store, part, 'three', strange),
    code: 0,
    says: /is live/,
  },
  { title: 'signed by its key', prepare: signed, code: 0, says: /is live/ },
  {
    title: 'published without a key, then signed by publishing it again',
    prepare: async (place) => {
      await register(place.store, part, ci)
      await publishAs(place.store, part, 'three')
      return publishAs(place.store, part, 'three', ci)
    },
    code: 0,
    says: /is live/,
  },
  {
    title: 'signed by a second key, which the first one added',
    prepare: async (place) => {
      await signed(place)
      await register(place.store, part, other, ci)
      return publishAs(place.store, part, 'four', other)
    },
    code: 0,
    says: /is live/,
  },
  {
    title: 'not signed',
    prepare: async (place) => {
      await signed(place)
      return publishAs(place.store, part, 'four')
    },
    code: 3,
    says: /^Release [0-9a-f]{16} of remote-scan is not signed by a key of remote-scan\. Publish it again from its sources with DMP_RELEASE_KEY set to ci\.$/m,
  },
  {
    title: 'signed by a key of another part',
    prepare: async (place) => {
      const release = await publishAs(place.store, part, 'four', strange)
      await register(place.store, 'remote-user', strange)
      await signed(place)
      return release
    },
    code: 3,
    says: /of remote-scan is not signed by a key of remote-scan\. Publish/,
  },
  {
    title: 'signed by a key of another part, under the name of its own',
    prepare: async (place) => {
      const release = await publishAs(place.store, part, 'four', strange)
      await signed(place)
      cpSync(place.at(release, signatureOf(strange)), place.at(release, signatureOf(ci)))
      return release
    },
    code: 3,
    says: /^The signature of release [0-9a-f]{16} of remote-scan does not fit: .* Publish it again/m,
  },
  {
    title: 'with the signature of another release of the part',
    prepare: async (place) => {
      const good = await signed(place)
      const release = await publishAs(place.store, part, 'four')
      cpSync(place.at(good, signatureOf(ci)), place.at(release, signatureOf(ci)))
      return release
    },
    code: 3,
    says: /The signature of release [0-9a-f]{16} of remote-scan does not fit/,
  },
  {
    title: 'with a signature that is no document',
    prepare: async (place) => {
      const release = await signed(place)
      edit(place.at(release, signatureOf(ci)), (text) => text.slice(0, 80))
      return release
    },
    code: 3,
    says: /does not fit/,
  },
  {
    title: 'with another commit than was signed, which its name does not say',
    prepare: async (place) => {
      const release = await signed(place)
      edit(place.at(release, 'release.json'), (text) => text.replace('"commit": "abc"', '"commit": "def"'))
      return release
    },
    code: 3,
    says: /does not fit/,
  },
  {
    title: 'with an altered file',
    prepare: async (place) => {
      const release = await signed(place)
      edit(place.at(release, 'App.js'), (text) => `evil();${text}`)
      return release
    },
    code: 3,
    says: /^App\.js has another hash\. It differs from release [0-9a-f]{16} of remote-scan as it was published\. Remove/m,
  },
  {
    title: 'with an altered file and its hash',
    prepare: async (place) => {
      const release = await signed(place)
      const before = readFileSync(place.at(release, 'App.js'))
      edit(place.at(release, 'App.js'), (text) => `evil();${text}`)
      edit(place.at(release, 'release.json'), (text) =>
        text.replace(toIntegrity(before), toIntegrity(readFileSync(place.at(release, 'App.js')))),
      )
      return release
    },
    code: 1,
    says: /^Release [0-9a-f]{16} of remote-scan was altered after it was published/m,
  },
  {
    title: 'without one of its files',
    prepare: async (place) => {
      const release = await signed(place)
      rmSync(place.at(release, 'App.js'))
      return release
    },
    code: 3,
    says: /^App\.js is missing\./m,
  },
  {
    title: 'signed by a key that was revoked, and never live',
    prepare: async (place) => {
      const release = await signed(place)
      await register(place.store, part, other, ci)
      await revoke(place.store, part, ci)
      return release
    },
    code: 3,
    says: /of remote-scan is signed by ci alone, which was revoked before the release went live\. Publish it again .* set to ci-2027\./,
  },
  {
    title: 'signed by a key that was revoked, and live before',
    prepare: async (place) => {
      const release = await signed(place)
      await activate(place.store, { parts: [release] }, { by: 'test' })
      await register(place.store, part, other, ci)
      await revoke(place.store, part, ci)
      await activate(place.store, { parts: [await publishAs(place.store, part, 'four', other)] }, { by: 'test' })
      return release
    },
    code: 0,
    says: /is live/,
  },
  {
    title: 'while all keys are revoked',
    prepare: async (place) => {
      const release = await signed(place)
      await revoke(place.store, part, ci)
      return release
    },
    code: 3,
    says: /All keys of remote-scan are revoked: have another registered/,
  },
  {
    title: 'signed by a key that somebody wrote into the store',
    prepare: async (place) => {
      const release = await publishAs(place.store, part, 'four', strange)
      await register(place.store, 'remote-user', other)
      await register(place.store, 'remote-user', strange, other)
      await signed(place)
      const forged = readFileSync(path.join(place.store.folder, 'keys/remote-user/2.json'))
      writeFileSync(path.join(place.store.folder, 'keys', part, '2.json'), forged)
      return release
    },
    code: 1,
    says: /^The release keys of remote-scan were altered \(.*\): in change 2, it is about remote-user\. No other release/m,
  },
  {
    title: 'while a change of the keys is missing',
    prepare: async (place) => {
      const release = await signed(place)
      await register(place.store, part, other, ci)
      rmSync(path.join(place.store.folder, 'keys', part, '1.json'))
      return release
    },
    code: 1,
    says: /The release keys of remote-scan were altered/,
  },
]

describe('a release goes live as its team signed it, or not at all [P43]', () => {
  it.each(cases)('$title: exit code $code', async ({ prepare, code, says }) => {
    const store = await storeWithTwoMoves()
    const release = await prepare({
      store,
      at: ({ name, releaseId }, file) => path.join(store.folder, name, releaseId, file),
    })
    const ran = await runProcess(store, ['activate', part, '--release', release.releaseId, '--unchecked', 'a test'])
    expect(ran).toEqual({ code, text: expect.stringMatching(says) as unknown })
  })

  it.each([
    ['canary', ['--percent', '10']],
    ['check', []],
  ])('%s refuses it as well, in a line for pipelines too', async (command, more) => {
    const store = await storeWithTwoMoves()
    await register(store, part, ci)
    const { releaseId } = await publishAs(store, part, 'four')
    const ran = await runProcess(store, [command, part, '--release', releaseId, '--json', ...more])
    expect(ran.code).toBe(3)
    expect(JSON.parse(ran.text)).toMatchObject({
      ok: false,
      refusals: [{ parties: [part, 'signature'], reason: expect.stringContaining(releaseId) as unknown }],
    })
  })

  it('rollback goes to what was live before the keys, and not to what was altered since', async () => {
    const store = await storeWithTwoMoves()
    await register(store, part, ci)
    expect(await runProcess(store, ['rollback', part])).toMatchObject({ code: 0 })
    const parts = await store.list(part)
    for (const id of parts) edit(path.join(store.folder, part, id, 'App.js'), (text) => `evil();${text}`)
    expect(await runProcess(store, ['rollback', part])).toEqual({
      code: 3,
      text: expect.stringContaining('App.js has another hash.') as unknown,
    })
  })
})
