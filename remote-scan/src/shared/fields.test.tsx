import { audit, scan } from '@dmp/contract'
import { aScan, aScanRow, aShareLink, aTransfer, northClinic } from '@dmp/contract/examples'
import { answer, changing, expectFacts, expectList, expectTable, ownValues, renderScreen } from '@dmp/kit/testing'
import { formatDate } from '@dmp/kit/screen'
import { screen } from '@testing-library/react'
import { App } from '../App.tsx'

const ui = <App notFound={null} />
const keep = ['compatibleSaas', 'organizationId', 'basic.compatibleSaas']
const lists = [answer(scan.listTransfers, []), answer(scan.listFilters, [])]

it('lists each field of a scan under its heading, in the file and in the order [2.58, 3.12, P15]', () =>
  expectList({
    ui,
    at: '/scan',
    as: 'admin',
    list: scan.list,
    answers: lists,
    example: aScanRow({ compatibleSaas: ['BMD'] }),
    keep,
    label: 'Scans',
    fields: [
      ['Patient Name', 'patientName'],
      ['Acquisition Date', 'acqDate'],
      ['Description', 'seriesDescription'],
      ['StudyUID', 'studyUID'],
      ['SeriesUID', 'seriesUID'],
      ['Source', 'source'],
      ['Slice Count', 'noOfImages'],
      ['Compatible SaaS', 'compatibleSaas'],
      ['Patient ID', 'patientID'],
      ['Modality', 'modality'],
      ['Upload Date', 'uploadDateTime'],
    ],
  }))

it('shows each field of a scan at its label, with its unit [2.59, 3.13]', async () => {
  const stored = changing(aScan(), { keep: ['advanced.seriesUID', ...keep] })
  const share = ownValues(aShareLink({ maxUses: 7, lastUsedDate: '2026-05-05T09:00:00.000Z' }), {
    keep: ['revokedDate'],
  })
  share.expireDate = '2199-01-01T00:00:00.000Z'
  share.maxUses = 900
  renderScreen(ui, {
    at: `/scan/detail/${northClinic.id}/${stored.now().advanced.seriesUID}`,
    as: 'admin',
    answers: [
      answer(scan.get, stored.now),
      answer(scan.listShares, [share]),
      answer(scan.listStudies, { rows: [], total: 0 }),
      answer(scan.listHolds, { rows: [], total: 0 }),
      answer(audit.listActivity, { rows: [], total: 0 }),
    ],
  })
  await screen.findByRole('table', { name: 'Active share links' })
  await stored.look((item) => {
    expectFacts('Basic Scan Details', item.basic, [
      ['Institution Name', 'institutionName'],
      ['Body Part Examined', 'bodyPartExamined'],
      ['Total Slice Count', 'totalSliceCount'],
      ['Slice Thickness', '', { text: ({ sliceThickness }) => `${sliceThickness} mm` }],
      ['Acquisition Date', 'acquisitionDate'],
      ['Acquisition Time', 'acquisitionTime'],
      ['Study Description', 'studyDescription'],
      ['Series Description', 'seriesDescription'],
      ['Compatible SaaS', 'compatibleSaas'],
    ])
    expectFacts('Patient Details', item.patient, [
      ['Patient ID', 'ID'],
      ['Patient Name', 'name'],
      ['Birth Date', 'birthDate'],
      ['Age', 'age'],
      ['Sex', 'sex'],
      ['Ethnicity', 'ethnicity'],
      ['Weight', '', { text: ({ weight }) => `${weight} kg` }],
      ['Height', '', { text: ({ height }) => `${height} m` }],
      ['BMI', '', { text: ({ BMI }) => `${BMI} kg/m²` }],
      ['Referring Physician', 'referringPhysician'],
      ['Requesting Physician', 'requestingPhysician'],
      ['Accession Number', 'accessionNumber'],
    ])
    expectFacts('Advanced Scan Details', item.advanced, [
      ['StudyUID', 'studyUID'],
      ['SeriesUID', 'seriesUID'],
      ['Series Date and Time', '', { text: ({ seriesDate, seriesTime }) => `${seriesDate}, ${seriesTime}` }],
      ['Study Date', 'studyDate'],
      ['Modality', 'modality'],
      ['Pixel Spacing', 'pixelSpacing'],
      ['Columns', 'columns'],
      ['Rows', 'rows'],
      ['Laterality', 'laterality'],
      ['Device Serial Number', 'deviceSerialNumber'],
      ['Manufacturer', 'manufacturer'],
      ['Manufacturer Model Name', 'manufacturerModelName'],
      ['Upload Date and Time', 'uploadDateTime'],
    ])
    expectTable(
      'Active share links',
      [share],
      [
        [
          'Shared',
          '',
          { text: ({ createdByUser, recipient, scans }) => `${createdByUser}to ${recipient}${scans} scans` },
        ],
        ['Valid until', 'expireDate'],
        ['Access', '', { text: () => 'No passwordDownload allowed' }],
        [
          'Seen',
          '',
          {
            text: ({ uses, maxUses, lastUsedDate }) =>
              `${uses} of ${maxUses} timeslast ${formatDate(lastUsedDate, 'moment')}`,
          },
        ],
        ['Revoke', '', { text: () => 'Revoke' }],
      ],
    )
  })
})

it('shows each field of a transfer under its heading [2.58, 3.14]', async () => {
  const done = aTransfer({ state: 'Done', finishedDate: '2026-05-05T09:00:00.000Z' })
  const row = ownValues(done, { keep: ['state', 'scans.0.state'] })
  row.scans[0]!.imagesDone = 5
  row.scans[0]!.images = 20
  const { user } = renderScreen(ui, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [], total: 0 }),
      ...lists,
      answer(scan.listTransfers, [row]),
      answer(scan.listTransferScans, {
        organizationId: northClinic.id,
        scans: row.scans.map(({ seriesUID }) => aScanRow({ seriesUID, patientName: 'Named, Nina' })),
      }),
    ],
  })
  await screen.findByRole('table', { name: 'Transfers' })
  await user.click(screen.getByRole('button', { name: 'Details' }))
  await screen.findByRole('table', { name: 'Result by scan' })
  expectTable('Result by scan', row.scans, [
    ['Patient Name', '', { text: () => 'Named, Nina' }],
    ['Scan', 'description'],
    ['SeriesUID', 'seriesUID'],
    ['State', 'state'],
    ['Frames', '', { text: () => '5 of 20' }],
    ['Note', 'message'],
  ])
})
