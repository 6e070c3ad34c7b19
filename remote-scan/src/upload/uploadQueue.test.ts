import type { UploadFile } from './uploadFile.ts'
import { nextBatch } from './uploadQueue.ts'

const aFile = (name: string, size = 4) => new File(['x'.repeat(size)], name)

describe('nextBatch', () => {
  const waiting = (size: number, organizationId = 'a'): UploadFile => ({
    path: 'x',
    size,
    open: () => Promise.resolve(aFile('x', size)),
    organizationId,
    state: 'waiting',
  })
  const done: UploadFile = { ...waiting(1), state: 'stored' }

  it('takes what waits, up to 32 files', () =>
    expect(nextBatch([done, ...Array.from({ length: 40 }, () => waiting(1))])).toHaveLength(32))
  it('takes a large file alone, and leaves it for later when small ones go', () => {
    expect(nextBatch([waiting(17_000_000), waiting(1)])).toEqual([0])
    expect(nextBatch([waiting(8_000_000), waiting(1)])).toEqual([0])
    expect(nextBatch([waiting(7_999_999), waiting(1)])).toEqual([0, 1])
    expect(nextBatch([waiting(1), waiting(17_000_000), waiting(1)])).toEqual([0, 2])
  })
  it('fills a request up to 16 MB', () =>
    expect(nextBatch([waiting(7_000_000), waiting(7_000_000), waiting(7_000_000), waiting(1)])).toEqual([0, 1]))
  it('fills it to the last byte', () =>
    expect(nextBatch([waiting(7_999_999), waiting(7_999_999), waiting(2), waiting(1)])).toEqual([0, 1, 2]))
  it('never mixes organizations', () => expect(nextBatch([waiting(1), waiting(1, 'b')])).toEqual([0]))
})
