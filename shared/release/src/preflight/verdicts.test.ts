import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { aStore } from '../testing/aBuild.ts'
import { addVerdict, readLooks, readVerdict, type Verdict } from './verdicts.ts'

const scan = { name: 'remote-scan', releaseId: '0123456789abcdef' }
const verdict: Verdict = {
  candidates: [scan],
  others: [],
  passed: true,
  findings: [
    { check: 'needs', passed: true, says: 'All there.', seconds: 0 },
    {
      check: 'looks remote-scan',
      passed: true,
      says: 'As live.',
      seconds: 0,
      pictures: { seen: 'bmV3', live: 'b2xk' },
    },
  ],
  by: 'ann',
  at: '2026-11-28T12:00:00.000Z',
}
const own = `verdicts/remote-scan-${scan.releaseId}`

it('pictures lie beside the verdict, where servers of before do not look, and come back with it', async () => {
  const store = aStore()
  await addVerdict(store, verdict)
  const [others = ''] = await store.list(own)
  expect((await store.read(`${own}/${others}/1.json`))?.toString()).not.toContain('pictures')
  expect(await readVerdict(store, verdict)).toEqual(verdict)
})

it('the first screen of a release is that of its newest trial; there is none of one that was never tried', async () => {
  const store = aStore()
  await addVerdict(store, verdict)
  const later = { check: 'looks remote-scan', passed: true, says: 'Later.', seconds: 0, pictures: { seen: 'bGF0ZXI=' } }
  await addVerdict(store, { ...verdict, findings: [later] })
  expect(await readLooks(store, scan.name, scan.releaseId)).toBe('bGF0ZXI=')
  expect(await readLooks(store, scan.name, 'fedcba9876543210')).toBeUndefined()
})

it('a verdict holds where its pictures cannot be read', async () => {
  const store = aStore()
  await addVerdict(store, verdict)
  const [others = ''] = await store.list(own)
  writeFileSync(path.join(store.folder, own, others, '1.pictures.json'), 'torn')
  expect((await readVerdict(store, verdict))?.findings.map(({ check }) => check)).toEqual([
    'needs',
    'looks remote-scan',
  ])
  expect(await readLooks(store, scan.name, scan.releaseId)).toBeUndefined()
})
