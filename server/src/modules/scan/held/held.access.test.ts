import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { scan } from '@dmp/contract'
import sharp from 'sharp'
import { createBufferSource } from '../../../dicom/byteSource.ts'
import { readInstanceBytes } from '../../../dicom/instance.ts'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { findDecided } from './holds.repository.ts'
import { runHeldScan, startTransfers } from '../transfer/transferRunner.ts'
import {
  admin,
  begin,
  getFinished,
  northId,
  server,
  south,
  southId,
  startWithCanaries,
} from '../transfer/transferInTests.ts'
import {
  decide,
  getHeld,
  getTransfer,
  holdAgain,
  holdBack,
  listCopies,
  lookAtAll,
  ultrasound,
  upload,
  waitUntilHeld,
} from './heldInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

const runLengths = '1.2.840.10008.1.2.5'
const mask = { rows: 8, columns: 8, rectangles: [{ x: 0, y: 0, width: 8, height: 1 }] }

describe('a held scan [P36]', () => {
  it('exists for its own organization alone [P02]', async () => {
    const { holdId: id } = await holdBack('1.50', [ultrasound('1.50', 1)])
    const choice = { masks: [mask], leftOut: [] }
    const replies = await Promise.all([
      south.call(scan.getHeld, { id }),
      south.call(scan.getHeldPicture, { id, instanceUID: '1.50.1', frame: 1 }),
      south.call(scan.saveHeldChoice, { id, ...choice }),
      south.call(scan.decideHeld, { id, decision: 'LeaveOut', revision: '', isSeenElsewhere: true, ...choice }),
      south.call(scan.listHeld, { organizationId: northId }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await south.call(scan.listHeld, {})).data).toEqual([])
    expect((await getHeld(id)).masks).toEqual([])
  })

  it('is copied by no thread without a look, whoever asks [P36]', async () => {
    const copy = (look?: object) =>
      server.deps.reader.runStored(
        'copy',
        { secret: Buffer.alloc(32), anonymize: true, ...(look && { look: { rectangles: [] } }) },
        { turn: { customer: northId, person: 'test' }, source: createBufferSource(ultrasound('1.49', 1)) },
      )
    expect(await copy()).toEqual({ problem: expect.stringContaining('nobody has looked at it') })
    expect(await copy({})).toHaveProperty('rewritten')
  })

  it('shows pictures of its own scan alone', async () => {
    const { holdId: id } = await holdBack('1.51', [ultrasound('1.51', 1)])
    expect((await admin.call(scan.getHeldPicture, { id, instanceUID: '1.50.1', frame: 1 })).status).toBe(404)
  })

  it('keeps what was chosen so far, for whoever goes on [P36]', async () => {
    const { holdId: id } = await holdBack('1.52', [ultrasound('1.52', 1)])
    const choice = { masks: [mask], leftOut: ['1.52.1'] }
    expect((await admin.call(scan.saveHeldChoice, { id, ...choice })).status).toBe(200)
    expect(await getHeld(id)).toMatchObject(choice)
  })

  it('is decided on once; the same decision may be sent again', async () => {
    const { transferId, holdId: id } = await holdBack('1.53', [ultrasound('1.53', 1)])
    await lookAtAll(id)
    const { revision } = await getHeld(id)
    const same = { revision, masks: [mask] }
    expect((await decide(id, same)).status).toBe(200)
    expect((await decide(id, same)).status).toBe(200)
    const other = await decide(id, { decision: 'LeaveOut' })
    expect([other.status, other.code]).toEqual([409, 'ALREADY_DECIDED'])
    expect((await getFinished(transferId)).scans[0]?.state).toBe('Done')
  })

  it('is decided on once by a double click, and by two people at the same time', async () => {
    const { transferId, holdId: id } = await holdBack('1.60', [ultrasound('1.60', 1)])
    await lookAtAll(id)
    const { revision } = await getHeld(id)
    const clicks = await Promise.all([decide(id, { revision }), decide(id, { revision })])
    expect(clicks.map(({ status }) => status)).toEqual([200, 200])
    expect((await getFinished(transferId)).scans[0]?.state).toBe('Done')

    const { holdId: other } = await holdBack('1.61', [ultrasound('1.61', 1)])
    await lookAtAll(other)
    const sent = decide(other, { revision: (await getHeld(other)).revision })
    const replies = await Promise.all([sent, decide(other, { decision: 'LeaveOut' })])
    expect(replies.map(({ status, code }) => code ?? status).toSorted()).toEqual([200, 'ALREADY_DECIDED'])
  })

  it('is not sent with a picture that came after the look, neither before nor after the decision [P36]', async () => {
    const { transferId, holdId: id } = await holdBack('1.54', [ultrasound('1.54', 1)])
    await lookAtAll(id)
    const { revision } = await getHeld(id)
    await upload([ultrasound('1.54', 2)])
    const late = await decide(id, { revision })
    expect([late.status, late.code]).toEqual([409, 'PICTURES_CHANGED'])

    // As if it had come between the decision and the job.
    const { db } = server.deps
    const jobId = '00000000-0000-4000-8000-00000000a054'
    const decision = { decision: 'Send' as const, revision, decided_by: admin.userId, decided_date: new Date() }
    await db
      .updateTable('transfer_holds')
      .set({ ...decision, job_id: jobId })
      .where('id', '=', id)
      .execute()
    await runHeldScan(server.deps, { id: jobId, signal: new AbortController().signal })
    const [again] = (await getTransfer(transferId)).scans
    expect(again?.held).toEqual({ id, pictures: 2 })
    expect((await getHeld(id)).heldPictures.map(({ isSeen }) => isSeen)).toEqual([true, false])
  })

  it('is sent after a restart that came between decision and job, and never twice [P20]', async () => {
    const { transferId, holdId: id } = await holdBack('1.55', [ultrasound('1.55', 1)])
    await lookAtAll(id)
    const { revision } = await getHeld(id)
    const jobId = '00000000-0000-4000-8000-00000000a055'
    await server.deps.db
      .updateTable('transfer_holds')
      .set({ decision: 'Send', revision, decided_by: admin.userId, decided_date: new Date(), job_id: jobId })
      .where('id', '=', id)
      .execute()
    await startTransfers(server.deps)
    const done = await getFinished(transferId)
    expect(done.scans[0]?.state).toBe('Done')
    expect(await findDecided(server.deps.db, jobId)).toBeUndefined()
    await runHeldScan(server.deps, { id: jobId, signal: new AbortController().signal })
    expect((await listCopies(done.scans[0]?.newSeriesUID)).length).toBe(1)
  })

  it('that was deleted can only be left out', async () => {
    const { transferId, holdId: id } = await holdBack('1.56', [ultrasound('1.56', 1)])
    await lookAtAll(id)
    expect((await admin.call(scan.remove, { organizationId: northId, seriesIdList: ['1.56'] })).status).toBe(200)
    const refusal = await decide(id)
    expect([refusal.status, refusal.code]).toEqual([409, 'NO_PICTURES'])
    expect((await decide(id, { decision: 'LeaveOut' })).status).toBe(200)
    expect((await getFinished(transferId)).state).toBe('Failed')
  })

  it.each([
    ['US-PAL-8-10x-echo.dcm', 10, runLengths],
    ['deflated.dcm', 1, '1.2.840.10008.1.2.1.99'],
  ])('masks each frame of %s, in the threads of pictures', async (name, frames, transferSyntaxUID) => {
    const bytes = readFileSync(sampleObjects().find((each) => basename(each) === name) ?? '')
    await upload([bytes])
    const { studyUID, seriesUID } = await readInstanceBytes(bytes)
    const { id: transferId } = (await begin([{ studyUID, seriesUID }])).data
    const id = await waitUntilHeld(transferId)
    await lookAtAll(id)
    const [{ rows, columns } = { rows: 0, columns: 0 }] = (await getHeld(id)).heldPictures
    const everything = { rows, columns, rectangles: [{ x: 0, y: 0, width: columns, height: rows }] }
    expect((await decide(id, { masks: [everything] })).status).toBe(200)
    const { newSeriesUID, message } = (await getFinished(transferId)).scans[0] ?? {}
    const copy = await server.deps.db
      .selectFrom('instances')
      .select(['study_uid', 'sop_instance_uid', 'transfer_syntax_uid', 'images'])
      .where('organization_id', '=', southId)
      .where('series_uid', '=', newSeriesUID ?? '')
      .executeTakeFirstOrThrow()
    expect([message, copy.images, copy.transfer_syntax_uid]).toEqual([null, frames, transferSyntaxUID])
    for (const frame of new Set([1, copy.images])) {
      const picture = await server.app.inject({
        url: `/dicom-web/studies/${copy.study_uid}/series/${newSeriesUID}/instances/${copy.sop_instance_uid}/frames/${frame}/rendered`,
        headers: { ...south.headers, accept: 'image/png' },
      })
      const { channels } = await sharp(picture.rawPayload).removeAlpha().stats()
      expect(new Set(channels.map(({ min, max }) => max - min))).toEqual(new Set([0]))
    }
  })

  it('of the same project is refused in words where the same picture went with other rectangles', async () => {
    const { transferId, holdId } = await holdBack('1.57', [ultrasound('1.57', 1)], { project: 'Trial' })
    await lookAtAll(holdId)
    await decide(holdId, { masks: [mask] })
    expect((await getFinished(transferId)).scans[0]?.state).toBe('Done')
    const again = await holdAgain('1.57', { project: 'Trial' })
    await lookAtAll(again.holdId)
    await decide(again.holdId)
    const [failed] = (await getFinished(again.transferId)).scans
    expect([failed?.state, failed?.message]).toEqual(['Failed', expect.stringContaining('not transferred')])
  })
})
