import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReleaseRef } from '../../shared/contract/src/release.ts'
import { composeSnapshot, publish, type FolderStore } from '../../shared/release/src/index.ts'
import { aBuild, aStore } from '../../shared/release/src/testing/aBuild.ts'
import { judgeFirstPages, weighFirstPages, type Weighed } from './firstPages.ts'

const address = '/scan'
/** Does not get smaller by compression. */
const noise = (length: number): string => {
  let state = 7
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return String.fromCharCode(97 + (state % 26))
  }).join('')
}

/** The names of all sources of a host's script, and each one's characters, one after the other. */
async function weigh(sources: Readonly<Record<string, string>>, remoteCode = noise(500)): Promise<Weighed> {
  const store = aStore()
  const dist = aBuild('host', '')
  writeFileSync(join(dist, 'main.js'), Object.values(sources).join(''))
  mkdirSync(join(dist, 'private-maps'))
  writeFileSync(join(dist, 'private-maps/main.js.map'), JSON.stringify(toMap(sources)))
  const [host, remote] = [await add(store, dist), await add(store, aBuild('remote-scan', remoteCode))]
  return weighFirstPages(store, await composeSnapshot(store, { host, remotes: [remote] }), [address])
}

async function add(store: FolderStore, dist: string): Promise<ReleaseRef> {
  const { name, releaseId } = await publish(store, dist, { commit: 'abc' })
  return { name, releaseId }
}

/** Each source is one segment: its column from the one before, and the next source. */
function toMap(sources: Readonly<Record<string, string>>) {
  const lengths = Object.values(sources).map(({ length }) => length)
  const segments = lengths.map(
    (_length, index) => encode(index === 0 ? 0 : lengths[index - 1]!) + encode(index && 1) + 'AA',
  )
  return { version: 3, sources: Object.keys(sources), names: [], mappings: segments.join(',') }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
function encode(value: number): string {
  const encoded = [value * 2]
  while (encoded.at(-1)! > 31) {
    const last = encoded.pop()!
    encoded.push((last & 31) | 32, last >> 5)
  }
  return encoded.map((digit) => digits[digit]).join('')
}

const before = { 'src/shell.ts': noise(900), 'node_modules/@scope/router/index.js': noise(3000) }

describe('the weight of first pages', () => {
  it('counts the page and the files that it names, as they travel', async () => {
    const { figures, files } = await weigh(before)
    expect(Object.keys(files[address]!)).toEqual([
      'page',
      'host main.js',
      'remote-scan remoteEntry.js',
      'remote-scan App.js',
    ])
    expect(figures[address]).toMatchObject({
      requests: 4,
      bytes: Object.values(files[address]!).reduce((sum, bytes) => sum + bytes),
    })
  })

  it('knows how much of it each package and each file of ours is', async () => {
    const { sources } = await weigh({ 'src/shell.ts': noise(900), 'node_modules/@scope/router/index.js': noise(3000) })
    expect(sources).toMatchObject({ 'host: host/src/shell.ts': 900, 'host: @scope/router': 3000 })
  })

  it('says what comes again after a changed line: the file that has it, or the line where there is a dictionary', async () => {
    const { figures, files } = await weigh(before)
    const { afterHostLine, afterHostLineWhole, afterRemoteLine, afterRemoteLineWhole } = figures[address]!
    expect(afterHostLineWhole).toBe(files[address]!['host main.js'])
    // Its first script names no hash here, and so stays.
    expect(afterRemoteLineWhole).toBe(files[address]!['remote-scan App.js']!)
    expect(afterHostLine).toBeLessThan(afterHostLineWhole / 5)
    expect(afterRemoteLine).toBeLessThan(afterRemoteLineWhole)
  })

  it('names the address that passes its limit, and the source that brought it', async () => {
    const accepted = await weigh({ 'src/shell.ts': noise(900) })
    expect(judgeFirstPages(await weigh({ 'src/shell.ts': noise(900) }), accepted)).toEqual([])
    const heavier = { 'src/shell.ts': noise(900), '../shared/kit/src/ui/Carousel.tsx': noise(4000) }
    const [sentence, ...others] = judgeFirstPages(await weigh(heavier), accepted)
    expect(others).toEqual([])
    expect(sentence).toMatch(/^\/scan: [\d,]+ bytes, of [\d,]+/)
    expect(sentence).toContain('host: shared/kit/src/ui/Carousel.tsx +4,000 (new)')
  })

  it('has no limits for an address that was never accepted, and says so', async () => {
    const weighed = await weigh(before)
    expect(judgeFirstPages(weighed, { ...weighed, figures: {} })).toEqual([expect.stringContaining('has no limits')])
  })
})
