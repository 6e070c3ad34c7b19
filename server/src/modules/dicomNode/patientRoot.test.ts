import { tag } from '@dmp/dicom'
import { commandField } from '@dmp/dimse'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { dicomFile, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { ask, level } from './askInTests.ts'
import { addPartner, ctClass, dial, dicomVariables, sliceBytes, store, titleOf } from './nodeInTests.ts'

const patientFind = '1.2.840.10008.5.1.4.1.2.1.1'
const patientGet = '1.2.840.10008.5.1.4.1.2.1.3'

let server: TestServer
let admin: SignedIn
let north: string
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  north = await titleOf(admin)
  await addPartner(admin)
})
afterAll(() => server.close())

it('finds each patient once, by the root of patients, and gives all of one [P51]', async () => {
  const roles = [{ abstractSyntax: ctClass, isUser: true, isProvider: true }]
  const patients = { classes: [patientFind, patientGet, ctClass], roles }
  const association = await dial(server, { calledTitle: north, ...patients })
  for (const [number, study, id] of [
    [50, '1.2.50', 'T-50'],
    [51, '1.2.51', 'T-50'],
    [52, '1.2.52', 'T-52'],
  ] as const) {
    const ids = { [tag.PatientID]: text('LO', id), [tag.StudyInstanceUID]: text('UI', study) }
    const seriesUID = text('UI', `${study}.1`)
    const data = sliceBytes(number, { ...ids, [tag.SeriesInstanceUID]: seriesUID })
    expect((await store(association, number, data)).status).toBe(0)
  }
  const find = (keys: JsonDataset) => ask(association, commandField.findRequest, patientFind, level('PATIENT', keys))
  const asked = { [tag.PatientID]: { vr: 'LO', Value: ['T-5*'] }, [tag.StudyDate]: { vr: 'DA' } }
  const { answers } = await find(asked)
  expect(answers.map(({ dataset }) => dataset[tag.PatientID]?.Value?.[0]).toSorted()).toEqual([
    'T-50',
    'T-52',
    undefined,
  ])
  expect(answers.flatMap(({ dataset }) => dataset[tag.StudyDate]?.Value ?? [])).toEqual([])
  const ofStudy = await find({ [tag.StudyDate]: { vr: 'DA', Value: ['20240506'] } })
  expect(ofStudy.answers.map(({ status }) => status)).toEqual([0xa900])
  const get = (...ids: string[]) =>
    ask(
      association,
      commandField.getRequest,
      patientGet,
      level('PATIENT', { [tag.PatientID]: { vr: 'LO', Value: ids } }),
    )
  expect((await get('T-50')).stored.toSorted()).toEqual(['1.2.3.4.50', '1.2.3.4.51'])
  expect((await get('T-5*')).stored).toEqual([])
  expect((await get()).answers.map(({ status }) => status)).toEqual([0xa900])
})

it('takes the same image as a file and by C-STORE, whatever the file says of its sender [P51]', async () => {
  const sent = dicomFile({ dataset: sliceBytes(40), sopInstanceUID: '1.2.3.4.40' }).fill(7, 0, 128)
  expect((await stow(server, admin, [sent])).statusCode).toBe(200)
  const association = await dial(server, { calledTitle: north })
  expect((await store(association, 40)).status).toBe(0)
  const other = sliceBytes(40, { [tag.SeriesDescription]: text('LO', 'other') })
  expect((await store(association, 40, other)).status).toBe(0x0111)
})
