import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflatedImage, manyElements } from '../testing/attackObjects.ts'
import { createBufferSource } from './byteSource.ts'
import { dicomLimits, readingLimits } from './limits.ts'
import { ObjectReader, ReadingTooCostly } from './objectReader.ts'
import { dicomFile } from './testing/dicomFile.ts'

const minuteMs = 60_000
const turn = { customer: 'north', person: 'ann' }
const input = { tags: ['00100020'], isCopy: false }
let folder: string
let reader: ObjectReader

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-reader-'))
  reader = new ObjectReader(folder, minuteMs)
})
afterAll(async () => {
  await reader.close()
  rmSync(folder, { recursive: true })
})

const take = (bytes: Buffer, timeoutMs = minuteMs) =>
  reader.run('take', input, { turn, source: createBufferSource(bytes), timeoutMs })

describe('reading threads', () => {
  it('give back what is kept of an object, and refuse with its own reason [P12]', async () => {
    const { sopInstanceUID, images, attributes } = await take(dicomFile())
    expect([sopInstanceUID, images, attributes]).toEqual(['1.2.3.4.5', 1, { '00100020': { vr: 'LO', Value: ['T-1'] } }])
    await expect(take(Buffer.from('no object'))).rejects.toMatchObject({ reason: 'NOT_DICOM' })
  })

  it('that work too long are ended, and the next object gets a new one [P12]', async () => {
    // Just within the limits, and far more than a millisecond.
    const heavy = manyElements('1.6', dicomLimits.elements - 100)
    await expect(take(heavy, 1)).rejects.toBeInstanceOf(ReadingTooCostly)
    expect((await take(dicomFile())).sopInstanceUID).toBe('1.2.3.4.5')
  })

  it('leave no inflated file behind, whether the object is taken or refused [P12, P20]', async () => {
    expect((await take(deflatedImage('1.6', 1_000_000))).sopInstanceUID).toBe('1.6.3')
    await expect(take(deflatedImage('1.6', 120_000_000))).rejects.toMatchObject({ reason: 'DEFLATE' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('get no object any more once they are to end for want of work [P21]', async () => {
    const own = new ObjectReader(folder, minuteMs)
    const timers = jest.spyOn(globalThis, 'setTimeout')
    const source = createBufferSource(dicomFile())
    await own.run('take', input, { turn, source })
    const [endIdle] = timers.mock.calls.find(([, ms]) => ms === readingLimits.idleMs) ?? []
    timers.mockRestore()
    endIdle?.()
    expect(endIdle).toBeDefined()
    expect((await own.run('take', input, { turn, source })).sopInstanceUID).toBe('1.2.3.4.5')
    await own.close()
  })

  it('read an object whose store fails to nobody, and then the next one', async () => {
    const source = {
      size: 2 ** 20,
      read: async (offset: number, length: number) => {
        if (offset + length > 2 ** 16) throw new Error('The store is away.')
        return dicomFile().subarray(offset, offset + length)
      },
    }
    await expect(reader.run('take', input, { turn, source })).rejects.toThrow('The store is away.')
    expect((await take(dicomFile())).sopInstanceUID).toBe('1.2.3.4.5')
  })
})
