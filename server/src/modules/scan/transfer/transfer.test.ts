import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { stow } from '../../../testing/stow.ts'
import {
  server,
  admin,
  south,
  northId,
  southId,
  hiddenName,
  startWithCanaries,
  begin,
  canary,
  getFinished,
} from './transferInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

describe('batch transfer [3.14, 5.12]', () => {
  it('copies in the background under new UIDs, de-identified, progress and result visible [3.14, P22]', async () => {
    const reply = await begin([canary])
    expect([reply.status, reply.data.dstOrganizationName, reply.data.anonymize]).toEqual([200, 'South-Clinic', true])
    const done = await getFinished(reply.data.id)
    expect(done.state).toBe('Done')
    expect(done.scans[0]).toMatchObject({
      seriesUID: '1.11.1',
      description: '',
      state: 'Done',
      images: 40,
      imagesDone: 40,
      newSeriesUID: expect.stringMatching(/^2\.25\.\d+$/),
      message: null,
    })

    const copy = (await south.call(scan.get, { organizationId: southId, seriesUID: done.scans[0]?.newSeriesUID ?? '' }))
      .data
    expect(copy.basic.totalSliceCount).toBe(40)
    expect(copy.patient.name).toMatch(/^ANON-/)
    expect(copy.basic.institutionName).toBeNull()
    expect((await admin.call(scan.get, { organizationId: northId, seriesUID: '1.11.1' })).data.patient.name).toBe(
      `${hiddenName}, Tilda`,
    )
  })

  it('leaves the canary in no byte that the destination holds [P22]', async () => {
    const rows = await server.deps.db
      .selectFrom('instances')
      .select(['object_key', 'sop_instance_uid'])
      .where('organization_id', '=', southId)
      .execute()
    expect(rows.length).toBe(40)
    const uids = new Set(rows.map((row) => row.sop_instance_uid))
    for (const row of rows) {
      const object = await server.deps.objects.open(row.object_key)
      const bytes = await object.read(0, object.size)
      await object.close()
      expect(bytes.toString('latin1').toLowerCase()).not.toContain(hiddenName.toLowerCase())
      expect(row.object_key).not.toContain('1.11.1')
      // References between slices of the series still lead to slices of the copy.
      const references = [...bytes.toString('latin1').matchAll(/2\.25\.\d+/g)].map((match) => match[0])
      expect(references.filter((uid) => uids.has(uid)).length).toBeGreaterThanOrEqual(2)
    }
    const index = JSON.stringify(
      await server.deps.db
        .selectFrom('series')
        .select(['search_words', 'attributes', 'patient_name'])
        .where('organization_id', '=', southId)
        .execute(),
    )
    expect(index).not.toContain(hiddenName)
  })

  it('proves what was removed by which rule, without values [P22]', async () => {
    const [last] = (await admin.call(scan.listTransfers, {})).data
    const { data } = await admin.call(scan.getTransferReport, { id: last?.id ?? '' })
    expect(data.text).toContain('40 × (0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')
    expect(data.text).toContain('Scan 1 of 1: Done')
    expect(data.text).toContain('Basic Application Level Confidentiality Profile')
    expect(data.text).not.toContain(hiddenName)
    expect((await south.call(scan.getTransferReport, { id: last?.id ?? '' })).status).toBe(404)
  })

  it('forgets the secret of the UIDs when it is done [P22]', async () => {
    expect(await server.deps.db.selectFrom('transfers').select('id').where('secret', 'is not', null).execute()).toEqual(
      [],
    )
  })

  it('keeps everything but the UIDs when anonymize is off [5.12]', async () => {
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    const done = await getFinished(
      (await begin([{ studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }], { anonymize: false })).data.id,
    )
    const copy = await south.call(scan.get, { organizationId: southId, seriesUID: done.scans[0]?.newSeriesUID ?? '' })
    expect(copy.data.patient.name).toBe(ct?.patientName)
    expect((await admin.call(scan.getTransferReport, { id: done.id })).data.text).toContain('NOT de-identified')
  })

  it('takes a scan back whole that cannot be de-identified, and goes on with the others [P22]', async () => {
    await server.deps.db
      .updateTable('instances')
      .set({ object_key: 'scans/gone/gone' })
      .where('sop_instance_uid', '=', '1.11.1.30')
      .execute()
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    const previousTotal = (await south.call(scan.list, {})).total
    const done = await getFinished(
      (await begin([canary, { studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }])).data.id,
    )
    expect(done.scans).toMatchObject([{ state: 'Failed', imagesDone: 0 }, { state: 'Done' }])
    expect(done.scans[0]?.message).toContain('This scan was not transferred')
    expect((await admin.call(scan.getTransferReport, { id: done.id })).data.text).toContain(
      `Scan 1 of 2: Failed\n  series none\n  ${done.scans[0]?.message}\n`,
    )
    // A fault of ours is said to the operator as well.
    expect(server.logs.filter((line) => line.includes('a scan was not transferred')).join('')).toContain(done.id)
    expect((await south.call(scan.list, {})).total).toBe((previousTotal ?? 0) + 1)
    expect(await server.deps.db.selectFrom('object_removals').select('object_key').execute()).toEqual([])
  })

  it('says that the disk is full where it is, to the sender and to the operator', async () => {
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    const full = jest.spyOn(server.deps.objects, 'stage').mockRejectedValueOnce(new ObjectStoreError('FULL'))
    const one = { studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }
    const done = await getFinished((await begin([one])).data.id)
    full.mockRestore()
    expect(done.scans).toMatchObject([
      { state: 'Failed', imagesDone: 0, message: expect.stringContaining('The server is out of disk space') },
    ])
    const lines = server.logs.filter((line) => line.includes('a scan was not transferred'))
    expect(lines.some((line) => line.includes(done.id))).toBe(true)
  })

  it('says beside a scan and in its report what a person should check [P22]', async () => {
    const elements = slice({
      [tag.SOPInstanceUID]: text('UI', '1.14.1.1'),
      [tag.StudyInstanceUID]: text('UI', '1.14'),
      [tag.SeriesInstanceUID]: text('UI', '1.14.1'),
      [tag.BodyPartExamined]: text('CS', 'HEAD'),
    })
    expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
    const done = await getFinished((await begin([{ studyUID: '1.14', seriesUID: '1.14.1' }])).data.id)
    const warning = 'A face can be reconstructed from images of the head.'
    expect(done.scans).toMatchObject([{ state: 'Done', message: warning }])
    expect((await admin.call(scan.getTransferReport, { id: done.id })).data.text).toContain(
      `  CHECK THIS: ${warning}\n`,
    )
  })

  it('shows the last hundred, the newest first [3.14]', async () => {
    const { db } = server.deps
    const began = Date.now()
    const one = {
      organization_id: southId,
      destination_id: northId,
      destination_name: 'North-Clinic',
      anonymize: true,
      secret: null,
      user_id: south.userId,
      state: 'Done' as const,
      finished_date: new Date(began),
    }
    await db
      .insertInto('transfers')
      .values(Array.from({ length: 101 }, (_, age) => ({ ...one, created_date: new Date(began - age * 1000) })))
      .execute()
    const { data } = await south.call(scan.listTransfers, {})
    expect([data.length, data[0]?.createdDate, data.at(-1)?.createdDate]).toEqual([
      100,
      new Date(began).toISOString(),
      new Date(began - 99_000).toISOString(),
    ])
    await db.deleteFrom('transfers').where('user_id', '=', south.userId).execute()
  })

  it('names the regions that can be reached [3.14, 7.38]', async () => {
    const { data } = await admin.call(scan.getTransferRegions, {})
    expect(data.length).toBeGreaterThan(0)
    expect(data[0]?.transferEndpoint).toMatch(/^http.*\/api\/Scan\/transfer$/)
  })

  it('leaves out a region that is switched off [3.14, 7.38]', async () => {
    const { data: regionsBefore } = await admin.call(scan.getTransferRegions, {})
    const [first] = regionsBefore
    const { db } = server.deps
    await db
      .updateTable('regions')
      .set({ is_active: false })
      .where('id', '=', first?.id ?? '')
      .execute()
    const { data: regionsAfter } = await admin.call(scan.getTransferRegions, {})
    await db
      .updateTable('regions')
      .set({ is_active: true })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect(regionsAfter).toEqual(regionsBefore.slice(1))
  })

  it('is recorded at both ends [P24]', async () => {
    const rows = await server.deps.db.selectFrom('audit').select(['event', 'organization_id', 'actor_id']).execute()
    expect(
      rows.some(
        (event) =>
          event.event === 'ScansTransferred' && event.organization_id === northId && event.actor_id === admin.userId,
      ),
    ).toBe(true)
    expect(
      rows.some(
        (event) =>
          event.event === 'ScansUploaded' && event.organization_id === southId && event.actor_id === admin.userId,
      ),
    ).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(hiddenName)
    expect(server.logs.join('')).not.toContain(hiddenName)
  })
})
