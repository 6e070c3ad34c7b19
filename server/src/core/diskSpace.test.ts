import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskSpace, endlessDisk } from './diskSpace.ts'

const endless = 2 ** 60
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-space-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
const watch = (reserveBytes: number, noticeBytes: number) =>
  new DiskSpace({ database: [folder], objects: [folder, join(folder, 'gone')] }, { reserveBytes, noticeBytes })

describe('the space of a disk', () => {
  it('is told of while there is less than the notice, and as full with less than the reserve', async () => {
    expect(await watch(0, 0).listScarce()).toEqual([])
    const free = expect.any(Number) as unknown
    const scarce = (isFull: boolean) => ['database', 'objects'].map((place) => ({ place, freeMegabytes: free, isFull }))
    expect(await watch(0, endless).listScarce()).toEqual(scarce(false))
    // Also where somebody set a notice that comes after the reserve.
    expect(await watch(endless, 0).listScarce()).toEqual(scarce(true))
  })

  it('keeps its reserve: what would be written there is refused as the disk itself would', async () => {
    await watch(0, endless).assertRoom('database', 'objects')
    await watch(0, endless).assertRoomFor(2 ** 40)
    for (const refused of [watch(endless, 0).assertRoom('objects'), watch(endless, 0).assertRoomFor(1)])
      await expect(refused).rejects.toMatchObject({ code: 'ENOSPC' })
  })

  it('is counted where there is a disk to count', async () => {
    expect(await watch(0, 0).countFreeMegabytes()).toBeGreaterThan(0)
    const gone = new DiskSpace({ objects: [join(folder, 'gone')] }, { reserveBytes: endless, noticeBytes: endless })
    expect([await gone.countFreeMegabytes(), await endlessDisk.countFreeMegabytes()]).toEqual([undefined, undefined])
    expect(await gone.listScarce()).toEqual([])
    await gone.assertRoom('objects')
  })
})
