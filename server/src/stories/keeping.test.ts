import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { objectOf } from '../testing/callsFromOutside.ts'
import { aSlice } from '../testing/scanInTests.ts'
import { stow } from '../testing/stow.ts'
import { story } from '../testing/story/story.ts'

const { id: organizationId } = northClinic
const tus = { 'tus-resumable': '1.0.0' }
const send = (url: string, at: number, payload: Buffer) => ({
  method: 'PATCH' as const,
  url,
  payload,
  headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) },
})

story(
  'Scans are uploaded in pieces, held, removed, and come back or not',
  import.meta.url,
  async ({ does, asks, later, step, people, server }) => {
    const { admin, staff, south } = people
    const bytes = objectOf('1.97', 1, 8192)
    const begin = (length: number) => ({
      method: 'POST' as const,
      url: '/api/Scan/uploads',
      headers: { ...tus, 'upload-length': String(length) },
    })
    await asks('What resumable uploads can.', undefined, { method: 'OPTIONS', url: '/api/Scan/uploads' })
    const begun = await asks('An upload begins.', staff, begin(bytes.length))
    const url = String(begun.headers.location)
    await asks('Its first half.', staff, send(url, 0, bytes.subarray(0, 4096)))
    await asks('The same half again.', staff, send(url, 0, bytes.subarray(0, 4096)))
    await asks('Where it stands.', staff, { method: 'HEAD', url, headers: tus })
    await asks('South wants to go on with it.', south, send(url, 4096, bytes.subarray(4096)))
    await asks('Its rest.', staff, send(url, 4096, bytes.subarray(4096)))
    const left = await asks('Another one begins.', staff, begin(9000))
    await asks('And is given up.', staff, { method: 'DELETE', url: String(left.headers.location), headers: tus })

    await step('Two studies come in.', () =>
      stow(server, staff, [aSlice('1.95.1.1.1'), aSlice('1.95.2.1.1'), aSlice('1.95.2.2.1')]),
    )
    await later(30)
    const held = { organizationId, studyUID: '1.95.2', reason: 'A court asks.' }
    const { data: hold } = await does(admin, scan.hold, held)
    await does(admin, scan.hold, { ...held, studyUID: '1.95.1', reason: 'A trial.' }, { title: 'The other one, too.' })
    await does(admin, scan.listHolds, { page: 1, pageSize: 5 })
    await does(admin, scan.endHold, { id: hold.id })
    await does(admin, scan.listDependents, { organizationId, seriesIdList: ['1.95.2.1'] })
    const remove = (...seriesIdList: readonly string[]) => ({ organizationId, seriesIdList })
    await does(admin, scan.remove, remove('1.95.1.1'), { title: 'What is held is not removed.' })
    await does(admin, scan.remove, remove('1.95.2.1', '1.97.1'), { title: 'Two series go.' })
    await does(staff, scan.listOwnDeletions, {}, { title: 'Somebody else removed none.' })
    await does(admin, scan.listOwnDeletions, {})
    await does(admin, scan.undoDelete, remove('1.95.2.1'))
    await does(admin, scan.remove, remove('1.95.2.2'), { title: 'One more goes.' })
    await does(admin, scan.listBin, { page: 1, pageSize: 5 })
    // One at a time: what went at one moment stands in the order of ids, which are others in every run.
    const { data: one } = await does(admin, scan.listBin, { page: 1, pageSize: 5, search: '1.95.2.2' })
    const ids = one.map(({ id }) => id)
    await does(admin, scan.restore, { organizationId, ids })
    await does(admin, scan.restore, { organizationId, ids }, { title: 'Restore it again.' })
    await does(admin, scan.remove, remove('1.95.2.1'), { title: 'The first goes once more.' })
    const { data: other } = await does(admin, scan.listBin, { page: 1, pageSize: 5, search: '1.95.2.1' })
    await does(admin, scan.purge, { organizationId, ids: other.map(({ id }) => id) })
    await later(60)
    await later(60 * 1440)
    await does(staff, scan.list, { page: 1, pageSize: 4 }, { title: 'What is left.' })
    await does(admin, scan.addSample, { organizationId })
    await does(admin, scan.removeSample, { organizationId })
  },
)
