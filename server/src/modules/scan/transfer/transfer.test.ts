import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { scan } from '@dmp/contract'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { doTransfer, giveUp } from './transferRunner.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let northId: string
let southId: string

const CANARY = 'Canarybird'
const canaries = Array.from({ length: 40 }, (_, index) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.11.1.${index + 1}`),
      '0020000D': text('UI', '1.11'),
      '0020000E': text('UI', '1.11.1'),
      '00200013': text('IS', String(index + 1)),
      '00100010': text('PN', `${CANARY}^Tilda`),
      '00100020': text('LO', `${CANARY}-77`),
      '00081030': text('LO', `Knee of ${CANARY}`),
      '00080080': text('LO', 'North hospital'),
      '00081140': [
        {
          '00081155': text('UI', `1.11.1.${((index + 1) % 40) + 1}`),
          '00081150': text('UI', '1.2.840.10008.5.1.4.1.1.2'),
        },
      ],
    }),
  }),
)
beforeAll(async () => {
  server = await startServer()
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  const ids = await server.deps.db.selectFrom('organizations').select(['id', 'name']).execute()
  northId = ids.find((one) => one.name === 'North-Clinic')?.id ?? ''
  southId = ids.find((one) => one.name === 'South-Clinic')?.id ?? ''
  const samples = sampleObjects()
    .filter((path) => ['rle.dcm', 'US-PAL-8-10x-echo.dcm'].includes(basename(path)))
    .map((path) => readFileSync(path))
  expect((await stow(server, admin, [...canaries, ...samples])).statusCode).toBe(200)
})
afterAll(() => server.close())

const begin = (scans: { studyUID: string; seriesUID: string }[], more: object = {}) =>
  admin.call(scan.transfer, {
    organizationId: northId,
    scans,
    dstOrganizationName: 'South-Clinic',
    anonymize: true,
    ...more,
  })
const canary = { studyUID: '1.11', seriesUID: '1.11.1' }

async function finished(id: string) {
  for (let tries = 0; tries < 600; tries++) {
    const found = (await admin.call(scan.listTransfers, {})).data.find((one) => one.id === id)
    if (found?.finishedDate) return found
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('The transfer did not finish.')
}

describe('batch transfer [3.14, 5.12]', () => {
  it('copies in the background under new UIDs, de-identified, progress and result visible [3.14, P22]', async () => {
    const reply = await begin([canary])
    expect([reply.status, reply.data.dstOrganizationName, reply.data.anonymize]).toEqual([200, 'South-Clinic', true])
    const done = await finished(reply.data.id)
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
      `${CANARY}, Tilda`,
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
      expect(bytes.toString('latin1').toLowerCase()).not.toContain(CANARY.toLowerCase())
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
    expect(index).not.toContain(CANARY)
  })

  it('proves what was removed by which rule, without values [P22]', async () => {
    const [last] = (await admin.call(scan.listTransfers, {})).data
    const { data } = await admin.call(scan.getTransferReport, { id: last?.id ?? '' })
    expect(data.text).toContain('40 × (0008,1030) StudyDescription: removed by PS3.15 E.1-1 X')
    expect(data.text).toContain('Scan 1 of 1: Done')
    expect(data.text).toContain('Basic Application Level Confidentiality Profile')
    expect(data.text).not.toContain(CANARY)
    expect((await south.call(scan.getTransferReport, { id: last?.id ?? '' })).status).toBe(404)
  })

  it('forgets the secret of the UIDs when it is done [P22]', async () => {
    expect(await server.deps.db.selectFrom('transfers').select('id').where('secret', 'is not', null).execute()).toEqual(
      [],
    )
  })

  it('warns of text that may be in the pixels [P22]', async () => {
    const us = (await admin.call(scan.list, { query: 'PS LAX' })).data[0]
    const done = await finished(
      (await begin([{ studyUID: us?.studyUID ?? '', seriesUID: us?.seriesUID ?? '' }])).data.id,
    )
    expect(done.scans[0]).toMatchObject({ state: 'Done', message: expect.stringContaining('burned into') })
    const { text: proof } = (await admin.call(scan.getTransferReport, { id: done.id })).data
    expect(proof.split('\n').filter((line) => line.includes('burned into'))).toEqual(
      [
        expect.stringMatching(/^ {2}LOOK AT THIS: /),
        expect.stringContaining('Text burned into pixels is not looked for.'),
      ].toReversed(),
    )
  })

  it('keeps everything but the UIDs when anonymize is off [5.12]', async () => {
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    const done = await finished(
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
    const before = (await south.call(scan.list, {})).total
    const done = await finished(
      (await begin([canary, { studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }])).data.id,
    )
    expect(done.scans.map((one) => one.state)).toEqual(['Failed', 'Done'])
    expect(done.scans[0]?.message).toContain('Nothing of this scan was transferred')
    expect((await admin.call(scan.getTransferReport, { id: done.id })).data.text).toContain(
      `Scan 1 of 2: Failed\n  series none\n  ${done.scans[0]?.message}\n`,
    )
    // A fault of ours is said to the operator as well.
    expect(server.logs.filter((line) => line.includes('a scan was not transferred')).join('')).toContain(done.id)
    expect((await south.call(scan.list, {})).total).toBe((before ?? 0) + 1)
    expect(await server.deps.db.selectFrom('object_removals').select('object_key').execute()).toEqual([])
  })

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
    await finished(id)
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
      doTransfer(server.deps, { id, signal: AbortSignal.abort(new Error('the server stops')) }),
    ).rejects.toThrow('the server stops')
    const stop = new AbortController()
    const interrupted = doTransfer(server.deps, { id, signal: stop.signal })
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
    expect((await admin.call(scan.listTransfers, {})).data.find((one) => one.id === id)).toMatchObject({
      state: 'Running',
      finishedDate: null,
    })

    await doTransfer(server.deps, { id, signal: new AbortController().signal })
    const first = await finished(id)
    await unfinished()
    await doTransfer(server.deps, { id, signal: new AbortController().signal })
    const second = await finished(id)
    expect(second.scans[0]?.newSeriesUID).toBe(first.scans[0]?.newSeriesUID)
    expect((await south.call(scan.list, {})).total).toBe(total + 1)
    expect(
      (await south.call(scan.get, { organizationId: southId, seriesUID: second.scans[0]?.newSeriesUID ?? '' })).data
        .basic.totalSliceCount,
    ).toBe(50)
  })

  it('that was interrupted too often is given up and says so; the next one is not held back [P20]', async () => {
    const { id } = (await begin([canary])).data
    await finished(id)
    await server.deps.db
      .updateTable('transfers')
      .set({ state: 'Running', finished_date: null })
      .where('id', '=', id)
      .execute()
    await server.deps.db.updateTable('transfer_scans').set({ state: 'Running' }).where('transfer_id', '=', id).execute()
    await giveUp(server.deps, id)
    expect(await finished(id)).toMatchObject({
      state: 'Failed',
      scans: [{ state: 'Failed', message: expect.stringContaining('Please start it again') }],
    })
    const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
    expect(
      (await finished((await begin([{ studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }])).data.id)).state,
    ).toBe('Done')
  })

  it('goes only to an activated organization with a datastore, by its exact name; all others answer alike [5.12, P02]', async () => {
    const refused = await Promise.all(
      ['West-Clinic', 'Nowhere', 'south-clinic'].map((dstOrganizationName) => begin([canary], { dstOrganizationName })),
    )
    expect(new Set(refused.map((one) => `${one.status} ${one.code} ${one.message}`)).size).toBe(1)
    expect(refused[0]?.status).toBe(404)
    expect((await begin([canary], { dstOrganizationName: 'North-Clinic' })).status).toBe(409)
    expect((await admin.call(scan.findDestination, { name: 'South-Clinic' })).data).toEqual({ name: 'South-Clinic' })
    expect((await admin.call(scan.findDestination, { name: 'West-Clinic' })).status).toBe(404)
  })

  it('refuses scans of others, unknown ones and pairs that do not belong together, all or nothing [P02]', async () => {
    expect(
      (
        await south.call(scan.transfer, {
          organizationId: northId,
          scans: [canary],
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
        })
      ).status,
    ).toBe(404)
    expect((await begin([canary, { studyUID: '1.11', seriesUID: '1.404' }])).status).toBe(404)
    expect((await begin([{ studyUID: '1.13', seriesUID: '1.11.1' }])).status).toBe(404)
    expect((await begin([])).status).toBe(400)
  })

  it('needs Scan/Transfer, and shows each user their own transfers only [6.02, P01]', async () => {
    const staff = await server.signIn('staff')
    expect(
      (
        await staff.call(scan.transfer, {
          organizationId: northId,
          scans: [canary],
          dstOrganizationName: 'South-Clinic',
          anonymize: true,
        })
      ).status,
    ).toBe(403)
    expect((await south.call(scan.listTransfers, {})).data).toEqual([])
    const begun = (await admin.call(scan.listTransfers, {})).data.map(({ createdDate }) => createdDate)
    expect(begun.length).toBeGreaterThan(2)
    expect(begun).toEqual(begun.toSorted().reverse())
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
    const { data: before } = await admin.call(scan.getTransferRegions, {})
    const [first] = before
    const { db } = server.deps
    await db
      .updateTable('regions')
      .set({ is_active: false })
      .where('id', '=', first?.id ?? '')
      .execute()
    const { data: after } = await admin.call(scan.getTransferRegions, {})
    await db
      .updateTable('regions')
      .set({ is_active: true })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect(after).toEqual(before.slice(1))
  })

  it('is recorded at both ends [P24]', async () => {
    const rows = await server.deps.db.selectFrom('audit').select(['event', 'organization_id', 'actor_id']).execute()
    expect(
      rows.some(
        (one) => one.event === 'ScansTransferred' && one.organization_id === northId && one.actor_id === admin.userId,
      ),
    ).toBe(true)
    expect(
      rows.some(
        (one) => one.event === 'ScansUploaded' && one.organization_id === southId && one.actor_id === admin.userId,
      ),
    ).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(CANARY)
    expect(server.logs.join('')).not.toContain(CANARY)
  })
})
