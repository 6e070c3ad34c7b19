import { signInAs } from '@dmp/kit/testing'
import { storeBatch } from './storeBatch.ts'
import type { UploadFile } from './uploadFile.ts'
import type { UploadOutcome } from './uploadOutcome.ts'
import { nextBatch, uploadQueue } from './uploadQueue.ts'
import { uploadStore } from './uploadStore.ts'

jest.mock('./storeBatch.ts', () => ({ storeBatch: jest.fn() }))
const send = jest.mocked(storeBatch)

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

describe('what somebody is sending when their session ends', () => {
  const signals: AbortSignal[] = []
  const untilAborted = (signal: AbortSignal) =>
    new Promise<UploadOutcome[]>((_, reject) =>
      signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError'))),
    )
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

  beforeEach(async () => {
    signals.length = 0
    send.mockImplementation((_organization, _files, _onProgress, signal) => {
      signals.push(signal)
      return untilAborted(signal)
    })
    signInAs('staff')
    uploadQueue.add('o', [{ path: 'a.dcm', size: 4, open: () => Promise.resolve(aFile('a.dcm')) }])
    await settle()
    signInAs(null)
    await settle()
  })
  afterEach(() => uploadQueue.clear())

  it('stops at once [P02]', () => {
    expect([signals.map(({ aborted }) => aborted), uploadStore.get().isRunning]).toEqual([[true], false])
  })

  it('is gone for whoever signs in next [P02, P23]', async () => {
    signInAs('admin')
    await settle()
    expect([signals.length, uploadStore.get().files]).toEqual([1, []])
  })

  it('continues when they sign in again', async () => {
    signInAs('staff')
    await settle()
    expect([signals.length, uploadStore.get().isRunning, uploadStore.get().files[0]?.state]).toEqual([
      2,
      true,
      'sending',
    ])
  })
})
