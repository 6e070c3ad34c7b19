import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { activate } from '@dmp/release/activate'
import { startCanary, stopCanary, type Person } from '@dmp/release/canary'
import type { Composition } from '@dmp/release/composition'
import { publish } from '@dmp/release/publish'
import { aBuild, aStore } from '@dmp/release/testing/aBuild'
import { createCompositions, type CompositionFor } from './compositions.ts'

const by = { by: 'test' }
const ann: Person = { key: 'ann', isNamed: (email) => email === 'ann@clinic.example' }
const bob: Person = { key: 'bob', isNamed: () => false }

async function live() {
  const store = aStore()
  const put = (name: string, code: string) => publish(store, aBuild(name, code), { commit: 'abc' })
  await activate(
    store,
    { parts: await Promise.all(['host', 'remote-scan', 'remote-user'].map((name) => put(name, 'one'))) },
    by,
  )
  const complaints: string[] = []
  const composed = createCompositions(store, (error) => complaints.push(String(error)))
  return { store, put, composed, complaints }
}

const remotesOf = async (composed: CompositionFor, person: Person | undefined): Promise<Record<string, string>> => {
  const { page } = (await composed(person)) as Composition
  return Object.fromEntries(page.remotes.map(({ declaration, releaseId }) => [declaration.name, releaseId]))
}

it('mixes the canaries of a person into what is live, with the live release to fall back to; everybody else gets what is live', async () => {
  const { store, put, composed } = await live()
  const everybodys = await remotesOf(composed, undefined)
  const [scan, user] = [await put('remote-scan', 'two'), await put('remote-user', 'two')]
  await startCanary(store, scan, { percent: 0, users: ['ann@clinic.example'] }, by)
  await startCanary(store, user, { percent: 100 }, by)
  expect(await remotesOf(composed, ann)).toEqual({ 'remote-scan': scan.releaseId, 'remote-user': user.releaseId })
  expect(await remotesOf(composed, bob)).toEqual({ ...everybodys, 'remote-user': user.releaseId })
  expect(await remotesOf(composed, undefined)).toEqual(everybodys)
  const [anns, bobs] = [(await composed(ann)) as Composition, (await composed(bob)) as Composition]
  expect(anns.page.id).not.toBe(bobs.page.id)
  expect(anns.page.remotes[0]?.previous?.releaseId).toBe(everybodys['remote-scan'])
  await stopCanary(store, 'remote-scan', by)
  expect(((await composed(ann)) as Composition).page.id).toBe(bobs.page.id)
})

it('a canary that cannot be read is as if there were none, and is complained of', async () => {
  const { store, put, composed, complaints } = await live()
  const everybodys = await remotesOf(composed, undefined)
  const scan = await put('remote-scan', 'two')
  await startCanary(store, scan, { percent: 100 }, by)
  rmSync(path.join(store.folder, 'remote-scan', scan.releaseId), { recursive: true })
  expect(await remotesOf(composed, ann)).toEqual(everybodys)
  expect(complaints.join()).toContain(`no release ${scan.releaseId} of remote-scan`)
})

it('a store that is away for a moment stops no page, is complained of, and counts again when it is back', async () => {
  const { store, put, composed, complaints } = await live()
  const everybodys = await remotesOf(composed, undefined)
  renameSync(store.folder, `${store.folder}-away`)
  expect(await remotesOf(composed, undefined)).toEqual(everybodys)
  expect(complaints.join()).toContain('is empty, though releases were live a moment ago')
  renameSync(`${store.folder}-away`, store.folder)
  const scan = await put('remote-scan', 'two')
  await activate(store, { parts: [scan] }, by)
  expect((await remotesOf(composed, undefined))['remote-scan']).toBe(scan.releaseId)
})

it('a release that was altered after it was published is on no page, with its hashes or without', async () => {
  const { store, put, composed, complaints } = await live()
  const everybodys = await remotesOf(composed, undefined)
  const scan = await put('remote-scan', 'two')
  await startCanary(store, scan, { percent: 100 }, by)
  const file = path.join(store.folder, 'remote-scan', scan.releaseId, 'release.json')
  const entry = scan.files.find(({ path: name }) => name === scan.entry)!
  const other = `sha384-${'A'.repeat(64)}`
  writeFileSync(file, readFileSync(file, 'utf8').replace(entry.integrity, other))
  expect(await remotesOf(composed, ann)).toEqual(everybodys)
  expect(complaints.join()).toContain(`Release ${scan.releaseId} of remote-scan was altered after it was published`)
  await expect(activate(store, { parts: [scan] }, by)).rejects.toThrow(/remote-scan was altered/)
})

it('a server that starts while what is live was altered shows what was live before, and says so', async () => {
  const { store, put, composed } = await live()
  const everybodys = await remotesOf(composed, undefined)
  const scan = await put('remote-scan', 'two')
  await activate(store, { parts: [scan] }, by)
  const file = path.join(store.folder, 'remote-scan', scan.releaseId, 'release.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(scan.files[0]!.integrity, `sha384-${'A'.repeat(64)}`))
  const complaints: string[] = []
  const started = createCompositions(store, (error) => complaints.push(String(error)))
  expect(await remotesOf(started, undefined)).toEqual(everybodys)
  expect(complaints.join()).toContain(`Release ${scan.releaseId} of remote-scan was altered after it was published`)
  writeFileSync(file, text)
  expect((await remotesOf(started, undefined))['remote-scan']).toBe(scan.releaseId)
})
