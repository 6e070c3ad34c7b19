import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { text as textOf } from '../../../dicom/attributes.ts'
import { text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
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
  toSamples,
  ultrasound,
  upload,
} from './heldInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

const mask = { rows: 8, columns: 8, rectangles: [{ x: 1, y: 2, width: 3, height: 2 }] }

describe('pictures that may show text [P36]', () => {
  it('wait, and nothing of their scan is sent before somebody has looked [P36]', async () => {
    const [before, { transferId, holdId }] = [
      (await south.call(scan.list, {})).total,
      await holdBack('1.40', [
        ultrasound('1.40', 1),
        ultrasound('1.40', 2, { [tag.BurnedInAnnotation]: text('CS', 'NO') }),
      ]),
    ]
    expect(await getTransfer(transferId)).toMatchObject({
      state: 'Running',
      finishedDate: null,
      scans: [
        { state: 'Queued', held: { id: holdId, pictures: 1 }, message: expect.stringContaining('1 picture may') },
      ],
    })
    expect((await south.call(scan.list, {})).total).toBe(before)
    expect((await admin.call(scan.listHeld, {})).data).toContainEqual(
      expect.objectContaining({ id: holdId, patientName: 'Burned, In', description: 'Abdomen', pictures: 1 }),
    )
    expect((await decide(holdId)).status).toBe(409)
    expect((await getTransfer(transferId)).finishedDate).toBeNull()
  })

  it('are sent with rectangles blackened once somebody has seen them all, and say so [P36]', async () => {
    const { transferId, holdId } = await holdBack('1.41', [ultrasound('1.41', 1), ultrasound('1.41', 2)])
    const [first] = (await getHeld(holdId)).heldPictures
    expect(first).toMatchObject({ instanceUID: '1.41.1', reason: 'KindOfImage', rows: 8, columns: 8, isSeen: false })
    const look = await admin.call(scan.getHeldPicture, { id: holdId, instanceUID: '1.41.1', frame: 1, values: 'all' })
    expect(look.data.picture).toMatch(/^data:image\/jpeg;base64,/)
    // A frame that is not there is no look.
    for (const instanceUID of ['1.41.1', '1.41.2'])
      expect((await admin.call(scan.getHeldPicture, { id: holdId, instanceUID, frame: 2 })).status).toBe(404)
    const refusal = await decide(holdId, { masks: [mask] })
    expect([refusal.status, refusal.raw.json()]).toMatchObject([
      409,
      { message: expect.stringContaining('1 picture yet') },
    ])
    await lookAtAll(holdId)
    expect((await getHeld(holdId)).heldPictures.map(({ isSeen }) => isSeen)).toEqual([true, true])
    expect((await decide(holdId, { masks: [mask] })).status).toBe(200)

    const done = await getFinished(transferId)
    expect([done.state, done.scans[0]?.state, done.scans[0]?.held]).toEqual(['Done', 'Done', undefined])
    const copies = await listCopies(done.scans[0]?.newSeriesUID)
    expect(copies.length).toBe(2)
    for (const copy of copies) {
      const samples = await toSamples(copy)
      for (let at = 0; at < 64; at += 1) {
        const [x, y] = [at % 8, Math.floor(at / 8)]
        const isMasked = x >= 1 && x < 4 && y >= 2 && y < 4
        expect([x, y, samples.readUInt16LE(at * 2)]).toEqual([x, y, isMasked ? 0 : 0x1111])
      }
      expect(textOf(copy.header, tag.BurnedInAnnotation)).toBe('NO')
      expect(JSON.stringify(copy.header[tag.DeidentificationMethodCodeSequence])).toContain('113101')
    }
    const secrets = server.deps.db.selectFrom('transfers').select('secret').where('id', '=', transferId)
    expect((await secrets.executeTakeFirstOrThrow()).secret).toBeNull()
  })

  it('are told of in the report by what was really done [P36]', async () => {
    const [last] = (await admin.call(scan.listTransfers, {})).data
    const { text: proof } = (await admin.call(scan.getTransferReport, { id: last?.id ?? '' })).data
    expect(proof).toContain('were held back until somebody had looked at them. All other pictures were not checked.')
    expect(proof).toContain('     2 × picture with rectangles blackened (1 drawn for this scan)')
    expect(proof).toContain('     2 × pixel data: rectangles blackened after somebody had looked')
    expect(proof).not.toContain('nothing to hide')
  })

  it('were sent unseen by earlier versions, whose reports still say so [P22]', async () => {
    const [last] = (await admin.call(scan.listTransfers, {})).data
    const id = last?.id ?? ''
    const { db } = server.deps
    const row = await db
      .selectFrom('transfer_scans')
      .select('report')
      .where('transfer_id', '=', id)
      .executeTakeFirstOrThrow()
    const { pictures: _looked, ...earlier } = row.report ?? {}
    await db
      .updateTable('transfer_scans')
      .set({ report: JSON.stringify(earlier) })
      .where('transfer_id', '=', id)
      .execute()
    const { text: proof } = (await admin.call(scan.getTransferReport, { id })).data
    expect(proof).toContain('They were not checked for text burned into them.')
    expect(proof).not.toContain('held back')
  })

  it('go on as they are where there is nothing to hide, but for those that are left out [P36]', async () => {
    const { transferId, holdId } = await holdBack(
      '1.42',
      [1, 2, 3].map((number) => ultrasound('1.42', number)),
    )
    await lookAtAll(holdId)
    expect((await decide(holdId, { leftOut: ['1.42.2'] })).status).toBe(200)
    const done = await getFinished(transferId)
    const copies = await listCopies(done.scans[0]?.newSeriesUID)
    expect(copies.map(({ header }) => textOf(header, tag.InstanceNumber))).toEqual(['1', '3'])
    for (const copy of copies) {
      expect((await toSamples(copy)).equals(Buffer.alloc(128, 0x11))).toBe(true)
      expect([textOf(copy.header, tag.BurnedInAnnotation), copy.header[tag.DerivationDescription]]).toEqual([
        'NO',
        undefined,
      ])
    }
    const { text: proof } = (await admin.call(scan.getTransferReport, { id: transferId })).data
    expect(proof).toContain('     2 × picture in which there was nothing to hide')
    expect(proof).toContain('     1 × picture left out')
  })

  it('are left out with their scan, which nobody needs to see for that [P36]', async () => {
    const { transferId, holdId } = await holdBack('1.43', [ultrasound('1.43', 1)])
    expect((await decide(holdId, { decision: 'LeaveOut' })).status).toBe(200)
    const done = await getFinished(transferId)
    expect(done).toMatchObject({
      state: 'Failed',
      scans: [{ state: 'Failed', message: 'Somebody who looked at the pictures left the scan out.' }],
    })
  })

  it('do not hold up the other scans of their transfer [P36]', async () => {
    await upload([ultrasound('1.44', 1)])
    const { data } = await admin.call(scan.transfer, {
      organizationId: northId,
      scans: [
        { studyUID: '1.44.0', seriesUID: '1.44' },
        { studyUID: '1.11', seriesUID: '1.11.1' },
      ],
      dstOrganizationName: 'South-Clinic',
      anonymize: true,
    })
    for (;;) {
      const { scans } = await getTransfer(data.id)
      if (scans[1]?.state === 'Done') break
      expect(scans[1]?.state).not.toBe('Failed')
      await new Promise((again) => setTimeout(again, 20))
    }
    const [held] = (await getTransfer(data.id)).scans
    expect(held?.held?.pictures).toBe(1)
    expect((await decide(held?.held?.id ?? '', { decision: 'LeaveOut' })).status).toBe(200)
    expect((await getFinished(data.id)).state).toBe('Done')
  })

  it('are those of their own scan, though a transfer holds several and others have the same [P02, P36]', async () => {
    const described = (description: string) => ({ [tag.SeriesDescription]: text('LO', description) })
    const [own, theirs] = [described('Liver'), described('Of the other clinic')]
    await upload([ultrasound('1.46', 1), ultrasound('1.46', 2), ultrasound('1.47', 1, own), ultrasound('1.48', 1)])
    const foreign = [ultrasound('1.46', 1, theirs), ultrasound('1.46', 3, theirs)]
    expect((await stow(server, south, foreign)).statusCode).toBe(200)
    const scans = ['1.46', '1.47'].map((seriesUID) => ({ studyUID: `${seriesUID}.0`, seriesUID }))
    const { data } = await begin(scans)
    const { holdId: other } = await holdAgain('1.48')
    const heldOf = async (id: string) => (await getTransfer(id)).scans.map(({ held, state }) => held?.pictures ?? state)
    while ((await heldOf(data.id)).some((pictures) => typeof pictures !== 'number'))
      await new Promise((again) => setTimeout(again, 20))
    const list = async () =>
      (await admin.call(scan.listHeld, {})).data
        .filter(({ id, transferId }) => id === other || transferId === data.id)
        .map(({ seriesUID, description, pictures }) => [seriesUID, description, pictures])
    expect((await list()).toSorted()).toEqual([
      ['1.46', 'Abdomen', 2],
      ['1.47', 'Liver', 1],
      ['1.48', 'Abdomen', 1],
    ])
    const [first, second] = (await getTransfer(data.id)).scans.map(({ held }) => held?.id ?? '')
    const images = async (id = '') => (await getHeld(id)).heldPictures.map(({ instanceUID }) => instanceUID)
    expect([await images(first), await images(second)]).toEqual([['1.46.1', '1.46.2'], ['1.47.1']])
    const choice = { masks: [mask], leftOut: ['1.46.2'] }
    expect((await admin.call(scan.saveHeldChoice, { id: first, ...choice })).status).toBe(200)
    expect([await getHeld(first!), await getHeld(second!)]).toMatchObject([choice, { masks: [], leftOut: [] }])
    expect((await decide(second!, { decision: 'LeaveOut' })).status).toBe(200)
    while ((await heldOf(data.id)).at(-1) !== 'Failed') await new Promise((again) => setTimeout(again, 20))
    expect((await admin.call(scan.saveHeldChoice, { id: second, ...choice })).status).not.toBe(200)
    expect([await heldOf(data.id), await list()]).toEqual([
      [2, 'Failed'],
      [
        ['1.46', 'Abdomen', 2],
        ['1.48', 'Abdomen', 1],
      ],
    ])
    for (const id of [first!, other]) await decide(id, { decision: 'LeaveOut' })
    expect((await getFinished(data.id)).state).toBe('Failed')
  })

  it('are not held back where the copy keeps all patient data on purpose [5.12]', async () => {
    await upload([ultrasound('1.45', 1)])
    const { data } = await admin.call(scan.transfer, {
      organizationId: northId,
      scans: [{ studyUID: '1.45.0', seriesUID: '1.45' }],
      dstOrganizationName: 'South-Clinic',
      anonymize: false,
    })
    expect((await getFinished(data.id)).state).toBe('Done')
  })

  it('are recorded: held back, looked at, decided [P24]', async () => {
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'subject', 'organization_id'])
      .where('event', 'in', ['ScansHeldBack', 'HeldScansDecided', 'ScanViewed'])
      .where('organization_id', '=', northId)
      .execute()
    expect(new Set(rows.map(({ event }) => event)).size).toBe(3)
    expect(
      rows.find(({ event, subject }) => event === 'HeldScansDecided' && subject?.['seriesUID'] === '1.41')?.subject,
    ).toMatchObject({
      decision: 'Send',
      pictures: 2,
      rectangles: 1,
      leftOut: 0,
    })
    expect(JSON.stringify(rows)).not.toContain('Burned')
    expect(rows.every(({ organization_id: id }) => id !== southId)).toBe(true)
  })
})
