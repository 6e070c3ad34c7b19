import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { activate } from '../activate.ts'
import { release } from '../cli.ts'
import { publish } from '../publish.ts'
import { readRegistry, registryVersion, releaseKey } from '../store/ReleaseStore.ts'
import { aBuild, aStore } from '../testing/aBuild.ts'
import {
  captureOutput,
  defaults,
  printed,
  printedJson,
  publishScan,
  storeWithTwoMoves,
} from '../testing/releaseCommand.ts'

captureOutput()

describe('npm run release: what people and pipelines look at', () => {
  it('status names every live release, since when and by whom', async () => {
    const { folder } = await storeWithTwoMoves()
    expect(await release(['status', '--store', folder, '--json'], defaults)).toBe(0)
    expect(printedJson()).toMatchObject({
      command: 'status',
      ok: true,
      version: 2,
      parts: [
        { name: 'host', by: 'test', known: 1, previous: null },
        { name: 'remote-scan', by: 'test', known: 2, previous: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown },
      ],
    })
  })

  it('status for people has its columns below one another', async () => {
    const { folder } = await storeWithTwoMoves()
    await release(['status', '--store', folder], defaults)
    const [headings = '', ...rows] = printed.join('').trimEnd().split('\n')
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row.slice(headings.indexOf('VERSION'))).toMatch(/^1\.0\.0 /)
      expect(row.slice(headings.indexOf('LIVE SINCE'))).toMatch(/^\d\d \w+,? \d\d:\d\d /)
    }
  })

  it('history for people names three parts of a move, and counts more', async () => {
    const store = aStore()
    const parts = ['host', 'remote-audit', 'remote-scan', 'remote-user']
    for (const count of [3, 4]) {
      const releases = await Promise.all(
        parts.slice(0, count).map((name) => publish(store, aBuild(name, `${count}`), { commit: 'abc' })),
      )
      await activate(store, { parts: releases.map(({ name, releaseId }) => ({ name, releaseId })) }, { by: 'test' })
    }
    expect(await release(['history', '--store', store.folder], defaults)).toBe(0)
    expect(printed.join('')).toMatch(/ host remote-audit and 2 more .*\n.* host remote-audit remote-scan /)
  })

  it('history for people says who got a canary: a share, somebody by name, or how many', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'three')
    const say = (...words: string[]) =>
      release(['canary', 'remote-scan', '--release', releaseId, ...words, '--store', store.folder], defaults)
    await say('--users', 'ada@north.example')
    await say('--users', 'ada@north.example,bob@north.example', '--percent', '1')
    await release(['history', '--store', store.folder], defaults)
    expect(printed.join('')).toMatch(/canary: 1 % of users and 2 named users[^]*canary: ada@north\.example /)
  })

  it('diff shows what is live beside another release: its files and what it needs', async () => {
    const store = await storeWithTwoMoves()
    const live = (await readRegistry(store))!
    const other = await publishScan(store, 'three and more', { record: { consumes: { react: '^19.1.0' } } })
    const diff = (part: string, id: string, ...more: string[]) =>
      release(['diff', part, '--release', id, '--store', store.folder, ...more], defaults)
    expect(await diff('remote-scan', other.releaseId, '--json')).toBe(0)
    const size = expect.any(Number) as number
    expect(printedJson()).toMatchObject({
      live: { name: 'remote-scan', commit: 'abc' },
      here: { releaseId: other.releaseId },
      files: [
        { path: 'App.js', live: size, here: size },
        { path: 'remoteEntry.js', live: size, here: size },
      ],
      needs: [{ module: 'react', live: '^19.0.0', here: '^19.1.0' }],
    })
    const { releaseId } = printedJson().live as { releaseId: string }
    await diff('remote-scan', other.releaseId)
    expect(printed.at(-1)).toMatch(
      new RegExp(`\nlive +${releaseId} +abc +.* kB\nhere +${other.releaseId} +abc +.* kB\n`),
    )
    await diff('remote-scan', releaseId)
    expect(printed.at(-1)).toMatch(/ is live already; the two are identical\.$/m)
    const user = await publish(store, aBuild('remote-user', 'one'), { commit: 'abc' })
    await diff('remote-user', user.releaseId)
    expect(printed.at(-1)).toMatch(/\nlive +– +– +–\nhere +\w{16} +abc +.* kB\n[^]*needs react: nothing → \^19\.0\.0\n/)
    expect(await registryVersion(store)).toBe(live.version)
  })

  it('keep is about what is live, or one part of it, and never the viewer', async () => {
    const store = await storeWithTwoMoves()
    await activate(store, { parts: [await publish(store, aBuild('viewer', 'one'), { commit: 'abc' })] }, { by: 'test' })
    const keep = (...words: string[]) => release(['keep', ...words, '--store', store.folder], defaults)
    // What is kept would be put into this repository: a store that has lost its releases stops it before.
    for (const name of ['host', 'remote-scan', 'viewer'])
      for (const id of await store.list(name)) await store.remove(releaseKey(name, id, 'release.json'))
    for (const part of ['remote-user', 'viewer'])
      expect([await keep(part), printed.at(-1)]).toEqual([
        1,
        `${part} is not live, so there is nothing to copy. Live are host, remote-scan.`,
      ])
    expect([await keep(), printed.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^The release store has no release \w+ of host /),
    ])
    expect([await keep('remote-scan'), printed.at(-1)]).toEqual([
      1,
      expect.stringMatching(/^The release store has no release \w+ of remote-scan /),
    ])
  })
})

describe('where a release comes from', () => {
  it('is kept beside it: packages, commit, clean or not, lock file and tools, and no browser gets it', async () => {
    const store = aStore()
    const dist = aBuild('host', 'one')
    writeFileSync(path.join(dist, 'sbom.cdx.json'), '{"bomFormat":"CycloneDX","components":[{},{}]}')
    const { name, releaseId, files } = await publish(store, dist, { commit: 'abc123+' })
    await activate(store, { parts: [{ name, releaseId }] }, { by: 'test' })
    expect(files.map((file) => file.path)).toEqual(['main.js'])
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(printedJson()).toMatchObject({
      parts: [
        {
          packages: 2,
          isClean: false,
          lockFile: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
          tools: { node: process.versions.node, webpack: expect.stringMatching(/^\d+\./) as unknown },
        },
      ],
    })
    expect(await release(['sbom', 'host', '--store', store.folder, '--json'], defaults)).toBe(0)
    const digest = { sha384: expect.stringMatching(/^[0-9a-f]{96}$/) as unknown }
    expect(printedJson()).toMatchObject({
      sbom: { bomFormat: 'CycloneDX' },
      provenance: {
        subject: [{ name: 'main.js', digest }],
        predicate: {
          buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: 'abc123' } }, { name: 'pnpm-lock.yaml' }] },
        },
      },
    })
  })

  it('is unknown of a release of an earlier version, which opens as before', async () => {
    const store = await storeWithTwoMoves()
    const { releaseId } = await publishScan(store, 'two')
    await store.remove(releaseKey('remote-scan', releaseId, 'provenance.json'))
    await release(['status', '--store', store.folder, '--json'], defaults)
    expect(printedJson()).toMatchObject({ parts: [{}, { packages: null, isClean: null, tools: null }] })
    expect(await release(['sbom', 'remote-scan', '--store', store.folder], defaults)).toBe(1)
  })
})
