import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusals, unknownReason } from './Refusals.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-refusals-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('what was refused lies under its name with its reason, the oldest first, over restarts', () => {
  const refusals = new Refusals(folder)
  expect(refusals.list()).toEqual([])
  const keep = (name: string, daysAgo: number, why?: { reason: string; code?: string }) => {
    const from = path.join(folder, 'from.dcm')
    writeFileSync(from, name)
    const at = new Date(Date.now() - daysAgo * 86_400_000)
    utimesSync(from, at, at)
    const place = refusals.keep(from, name, why)
    expect([existsSync(from), readFileSync(place, 'utf8')]).toEqual([false, name])
    return place
  }
  // Before anything has a reason there is no list of them.
  const unsaid = keep(path.join('dropped', 'a.dcm'), 2)
  expect(new Refusals(folder).list()).toMatchObject([{ path: unsaid, reason: unknownReason, isFinal: true }])
  const said = keep(path.join('dropped', 'b.dcm'), 3, { reason: 'Too deep.', code: 'TOO_DEEP' })
  appendFileSync(path.join(refusals.folder, '.reasons.jsonl'), '{"path":"cut o')
  expect(new Refusals(folder).list().map(({ at: _at, ...rest }) => rest)).toEqual([
    { path: said, reason: 'Too deep.', code: 'TOO_DEEP', isFinal: true },
    { path: unsaid, reason: unknownReason, isFinal: true },
  ])
})
