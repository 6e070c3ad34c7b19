import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@dmp/contract/limits'
import { publish } from './publish.ts'
import { addPreview, listPreviews } from './previews.ts'
import { openFolderStore, type FolderStore } from './store/folderStore.ts'
import { aBuild } from './testing/aBuild.ts'

const dayMs = 86_400_000
const begin = Date.parse('2026-12-01T08:00:00Z')

let store: FolderStore
beforeEach(() => {
  store = openFolderStore(join(mkdtempSync(join(tmpdir(), 'dmp-previews-')), 'releases'))
})

const release = (code: string) => publish(store, aBuild('remote-scan', code), { commit: 'abc' })
const made = { by: 'team', users: [] }

describe('a preview of a change', () => {
  it('that is made anew keeps its address, shows the newer release, and lasts its days from then on', async () => {
    const [first, second] = [await release('one'), await release('two')]
    const before = await addPreview(store, first, { ...made, days: 3, change: '12' }, begin)
    const after = await addPreview(store, second, { ...made, days: 3, change: '12' }, begin + 2 * dayMs)
    expect(after).toMatchObject({ id: before.id, path: before.path, releaseId: second.releaseId })
    expect(after.ends).toBe(new Date(begin + 5 * dayMs).toISOString())
    expect(await listPreviews(store, 'remote-scan', begin + 4 * dayMs)).toEqual([after])
    expect(await listPreviews(store, 'remote-scan', begin + 5 * dayMs + 1)).toEqual([])
  })

  it('ends with the token that made it, where that is earlier', async () => {
    const preview = await addPreview(store, await release('one'), { ...made, days: 3, latest: begin + dayMs }, begin)
    expect(preview.ends).toBe(new Date(begin + dayMs).toISOString())
  })

  it('is refused where a part has as many as it may have, unless it takes the place of one', async () => {
    const one = await release('one')
    for (let change = 1; change <= limits.previewsPerPart; change += 1)
      await addPreview(store, one, { ...made, days: 1, change: String(change) }, begin)
    await expect(addPreview(store, one, { ...made, days: 1, change: 'more' }, begin)).rejects.toThrow('End some')
    await addPreview(store, one, { ...made, days: 1, change: '1' }, begin)
    // What has ended takes no place.
    await addPreview(store, one, { ...made, days: 1, change: 'more' }, begin + 2 * dayMs)
  })
})
