import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import { runTransfer, abandonTransfer } from './transferRunner.ts'
import { server, admin, south, southId, startWithCanaries, begin, canary, getFinished } from './transferInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

describe('a transfer that was interrupted [P20]', () => {
  it('goes on after it was interrupted in the middle, and doubles nothing when it is done again [P20]', async () => {
    const objects = Array.from({ length: 50 }, (_, index) =>
      dicomFile({
        elements: slice({
          '00080018': text('UI', `1.13.1.${index + 1}`),
          '0020000D': text('UI', '1.13'),
          '0020000E': text('UI', '1.13.1'),
        }),
      }),
    )
    await stow(server, admin, objects)
    const { id } = (await begin([{ studyUID: '1.13', seriesUID: '1.13.1' }])).data
    await getFinished(id)
    const total = (await south.call(scan.list, {})).total ?? 0
    const unfinished = async (): Promise<void> => {
      await server.deps.db
        .updateTable('transfers')
        .set({ state: 'Running', finished_date: null, secret: Buffer.alloc(32, 9) })
        .where('id', '=', id)
        .execute()
      await server.deps.db
        .updateTable('transfer_scans')
        .set({ state: 'Running', images_done: 0 })
        .where('transfer_id', '=', id)
        .execute()
    }

    await unfinished()
    await expect(
      runTransfer(server.deps, { id, signal: AbortSignal.abort(new Error('the server stops')) }),
    ).rejects.toThrow('the server stops')
    const stop = new AbortController()
    const interrupted = runTransfer(server.deps, { id, signal: stop.signal })
    while (
      (
        await server.deps.db
          .selectFrom('transfer_scans')
          .select('images_done')
          .where('transfer_id', '=', id)
          .executeTakeFirstOrThrow()
      ).images_done === 0
    )
      await new Promise((again) => setImmediate(again))
    stop.abort(new Error('the server stops'))
    await expect(interrupted).rejects.toThrow('the server stops')
    expect((await admin.call(scan.listTransfers, {})).data.find((transfer) => transfer.id === id)).toMatchObject({
      state: 'Running',
      finishedDate: null,
    })

    await runTransfer(server.deps, { id, signal: new AbortController().signal })
    const first = await getFinished(id)
    await unfinished()
    await runTransfer(server.deps, { id, signal: new AbortController().signal })
    const second = await getFinished(id)
    expect(second.scans[0]?.newSeriesUID).toBe(first.scans[0]?.newSeriesUID)
    expect((await south.call(scan.list, {})).total).toBe(total + 1)
    expect(
      (await south.call(scan.get, { organizationId: southId, seriesUID: second.scans[0]?.newSeriesUID ?? '' })).data
        .basic.totalSliceCount,
    ).toBe(50)
  })

  it('that was interrupted too often is given up and says so; the next one is not held back [P20]', async () => {
    const { id } = (await begin([canary])).data
    await getFinished(id)
    await server.deps.db
      .updateTable('transfers')
      .set({ state: 'Running', finished_date: null })
      .where('id', '=', id)
      .execute()
    await server.deps.db.updateTable('transfer_scans').set({ state: 'Running' }).where('transfer_id', '=', id).execute()
    await abandonTransfer(server.deps, id)
    expect(await getFinished(id)).toMatchObject({
      state: 'Failed',
      scans: [{ state: 'Failed', message: expect.stringContaining('Please start it again') }],
    })
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    expect(
      (await getFinished((await begin([{ studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }])).data.id))
        .state,
    ).toBe('Done')
  })
})
