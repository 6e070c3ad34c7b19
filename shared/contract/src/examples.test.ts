import * as examples from './examples/index.ts'

type Leaf = readonly [place: string, value: string | number]

function* walk(value: unknown, place = ''): Generator<Leaf> {
  if (Array.isArray(value)) yield* walk(value[0], `${place}[]`)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* walk(inner, place === '' ? name : `${place}.${name}`)
  else if ((typeof value === 'string' && value.length > 2) || (typeof value === 'number' && value > 1))
    yield [place, value]
}

/** One thing that stands twice, or two that are alike in life. */
const alike: ReadonlySet<string> = new Set([
  'aComplaint createdByUser = statusList[].createdByUser',
  'aComplaint currentStatus = statusList[].status',
  'aConflict stored.accessionNumber = arrived.accessionNumber',
  'aConflict stored.studyDate = arrived.studyDate',
  'aConflict stored.studyDescription = arrived.studyDescription',
  'aConflict stored.studyUID = arrived.studyUID',
  'aRegistration status = registrationStatus.status',
  'aScan basic.acquisitionDate = advanced.seriesDate = advanced.studyDate',
  'aScan licensedSaas[] = basic.compatibleSaas[]',
  'aScan patient.ID = tags[].value',
  'aStationAnswer product = offered',
  'aStudy arrivedDate = series[].uploadDateTime',
  'aStudy compatibleSaas[] = series[].compatibleSaas[]',
  'aStudy images = series[].noOfImages',
  'aStudy patientID = series[].patientID',
  'aStudy patientName = series[].patientName',
  'aStudy sources[] = series[].source',
  'aStudy studyDate = series[].acqDate',
  'aStudy studyUID = series[].studyUID',
  'aTransfer state = scans[].state',
  'aUser email = userName',
  'aUser organization.id = organizationId',
  'anAlertRules patients = minutes',
  'anExport objects = objectsDone',
  'anImport bytes = bytesArrived',
  'anImport refused = refusals[].count',
  'anOrganization status = organizationStatus.status',
  'someSettings company.manufactureDate = company.udi.manufactureDate',
  'someSettings tokenCheckSeconds = liveValidateSeconds',
])

/** Where two fields hold one value, no test of a screen notices that they were exchanged. */
it('gives each field of an example a value of its own, unless it is one thing that stands twice', () => {
  const found = Object.entries(examples).flatMap(([name, make]) => {
    // A number alone makes an id, which is no example of anything.
    if (typeof make !== 'function' || name === 'anId') return []
    const leaves = [...walk((make as () => unknown)())]
    return [...Map.groupBy(leaves, ([, value]) => JSON.stringify(value)).values()]
      .filter((same) => same.length > 1)
      .map((same) => `${name} ${same.map(([place]) => place).join(' = ')}`)
  })
  expect(found.sort()).toEqual([...alike].sort())
})
