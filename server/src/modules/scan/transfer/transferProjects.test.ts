import { limits, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import { server, admin, south, northId, southId, startWithCanaries, begin, getFinished } from './transferInTests.ts'

/** Two series of one study, of one person. */
const series = ['1.21.1', '1.21.2'].map((seriesUID) => ({ studyUID: '1.21', seriesUID }))
const objectOf = (seriesUID: string, number = 1): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${seriesUID}.${number}`),
      '0020000D': text('UI', '1.21'),
      '0020000E': text('UI', seriesUID),
      '00100020': text('LO', 'P-2121'),
    }),
  })

beforeAll(async () => {
  await startWithCanaries()
  await stow(server, admin, [objectOf('1.21.1'), objectOf('1.21.2')])
})
afterAll(() => server.close())

const copyOf = async (at: number, more: object) => {
  const scanToCopy = series[at] ?? { studyUID: '', seriesUID: '' }
  const { data } = await begin([scanToCopy], more)
  const done = await getFinished(data.id)
  const seriesUID = done.scans[0]?.newSeriesUID ?? ''
  const copy = (await south.call(scan.get, { organizationId: southId, seriesUID })).data
  return { done, seriesUID, studyUID: copy.advanced.studyUID, name: copy.patient.name }
}
const project = 'Knee study'

describe('transfers of a project [3.14, P22]', () => {
  it('keep one pseudonym and one study over several transfers; others have their own [P22]', async () => {
    const [first, second, alone, other] = [
      await copyOf(0, { project }),
      await copyOf(1, { project: 'KNEE STUDY ' }),
      await copyOf(1, {}),
      await copyOf(1, { project: 'Heart study' }),
    ]
    expect([second.name, second.studyUID]).toEqual([first.name, first.studyUID])
    expect(new Set([first.name, alone.name, other.name]).size).toBe(3)
    expect(new Set([first.studyUID, alone.studyUID, other.studyUID]).size).toBe(3)
    expect([first.done.project, alone.done.project]).toEqual([project, null])
  })

  it('are listed for those who may transfer the scans of the organization, and for nobody else [P02]', async () => {
    const names = (await admin.call(scan.listTransferProjects, { organizationId: northId })).data.map(
      ({ name }) => name,
    )
    expect(names).toEqual(['Heart study', project])
    expect((await south.call(scan.listTransferProjects, { organizationId: northId })).status).toBe(404)
    expect((await south.call(scan.listTransferProjects, { organizationId: southId })).data).toEqual([])
    const staff = await server.signIn('staff')
    expect((await staff.call(scan.listTransferProjects, { organizationId: northId })).status).toBe(403)
  })

  it('say in their report what became of the secret, as it is [P22]', async () => {
    const reportOf = async (more: object) => {
      const { done } = await copyOf(0, more)
      return (await admin.call(scan.getTransferReport, { id: done.id })).data.text
    }
    const [kept, forgotten, plain] = [
      await reportOf({ project }),
      await reportOf({}),
      await reportOf({ anonymize: false }),
    ]
    expect(kept).toContain('the same in every transfer of the project “Knee study”')
    expect(forgotten).toContain('the secret that makes them is deleted')
    for (const text of [kept, forgotten, plain]) expect(text).not.toContain('Every UID')
    expect(plain).toContain('Texts and private attributes are as they were, and may name the old ones.')
    const secrets = await server.deps.db
      .selectFrom('transfers')
      .select('secret')
      .where('secret', 'is not', null)
      .execute()
    expect(secrets).toEqual([])
  })

  it('are none of copies that keep their patients', async () => {
    const reply = await begin([series[0] ?? { studyUID: '', seriesUID: '' }], { project, anonymize: false })
    expect([reply.status, reply.code]).toEqual([400, 'NOTHING_TO_PSEUDONYMIZE'])
    expect((await begin(series, { project: '  ' })).status).toBe(400)
    expect((await begin(series, { project: 'x'.repeat(limits.projectNameMaxChars + 1) })).status).toBe(400)
  })

  it('never take back what an earlier one brought [P20]', async () => {
    const first = await copyOf(0, { project })
    // The second image has lost its bytes: this transfer fails in the middle.
    await stow(server, admin, [objectOf('1.21.1', 2)])
    await server.deps.db
      .updateTable('instances')
      .set({ object_key: 'scans/gone/gone' })
      .where('sop_instance_uid', '=', '1.21.1.2')
      .execute()
    const failed = await getFinished((await begin([series[0] ?? { studyUID: '', seriesUID: '' }], { project })).data.id)
    expect(failed.state).toBe('Failed')
    const copy = await south.call(scan.get, { organizationId: southId, seriesUID: first.seriesUID })
    expect([copy.status, copy.data.patient.name]).toEqual([200, first.name])
  })

  it('never take back what one brought that began later than they were asked for [P20]', async () => {
    const [, wanted = { studyUID: '', seriesUID: '' }] = series
    const gate = Promise.withResolvers<void>()
    const { runStored } = server.deps.reader
    let images = 0
    const copies = jest.spyOn(server.deps.reader, 'runStored').mockImplementation(async (kind, input, more) => {
      if (kind === 'copy') await gate.promise
      // Of the one image, the second transfer's copy fails.
      return kind === 'copy' && (images += 1) > 1
        ? ({ problem: 'It is broken.' } as never)
        : (runStored.call(server.deps.reader, kind, input, more) as never)
    })
    const asked = { project: 'asked for together' }
    const [first, second] = [await begin([wanted], asked), await begin([wanted], asked)]
    gate.resolve()
    const [arrived] = (await getFinished(first.data.id)).scans
    expect(arrived?.state).toBe('Done')
    expect((await getFinished(second.data.id)).scans).toMatchObject([{ state: 'Failed' }])
    copies.mockRestore()
    const copy = await south.call(scan.get, { organizationId: southId, seriesUID: arrived?.newSeriesUID ?? '' })
    expect(copy.status).toBe(200)
  })

  it('are as many as an organization may have, and the next one is refused in a sentence [P19]', async () => {
    const rows = Array.from({ length: limits.transferProjects }, (_, at) => ({
      organization_id: northId,
      name: `filled ${at}`,
      secret: Buffer.alloc(32),
      key_id: null,
    }))
    await server.deps.db.insertInto('transfer_projects').values(rows).execute()
    const reply = await begin(series, { project: 'one more' })
    expect([reply.status, reply.code]).toEqual([409, 'TOO_MANY_PROJECTS'])
    expect((await begin(series, { project })).status).toBe(200)
  })
})
