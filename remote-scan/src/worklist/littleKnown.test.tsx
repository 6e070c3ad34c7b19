import { scan } from '@dmp/contract'
import { aScanRow, aStudy, northClinic } from '@dmp/contract/examples'
import { answer } from '@dmp/kit/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { button, draw, list, namesInOrder, rowOf, ruth } from './worklistInTests.tsx'

const noPicture = { noOfImages: 0, imageSetID: null }
const bare = aStudy({
  studyUID: '2.25.120',
  patientName: '',
  patientID: '',
  birthDate: null,
  sex: null,
  studyDate: null,
  description: '',
  accessionNumber: '',
  modalities: [],
  bodyParts: [],
  sources: [],
  compatibleSaas: [],
  images: 0,
  series: [
    aScanRow({ studyUID: '2.25.120', seriesUID: '2.25.320', patientName: '', seriesDescription: '', ...noPicture }),
  ],
})
const every = 'patientID,born,study,modality,bodyPart,source,accession,saas,status'
const cellsOf = (row: HTMLElement) =>
  Object.fromEntries(
    [...row.querySelectorAll<HTMLElement>('td[data-column]')].map(({ dataset, textContent }) => [
      dataset['column'],
      textContent?.trim(),
    ]),
  )

describe('a study of which little is known', () => {
  it('says so in each of its columns, and acts under a name of its own', async () => {
    const { user, path } = draw([list([bare])], { at: `/scan/worklist?columns=${every}` })
    const row = await rowOf(/Select No name/)
    expect(cellsOf(row)).toEqual(Object.fromEntries(every.split(',').map((column) => [column, '–'])))
    const look = within(row).getByRole('button', { name: 'View No name' })
    expect(look).toBeDisabled()
    expect(look).toHaveAttribute('title', 'There is no picture to view')
    await user.click(within(row).getByRole('button', { name: 'Series of No name' }))
    await user.click(screen.getByRole('link', { name: 'No description' }))
    expect(path()).toBe(`/scan/detail/${northClinic.id}/2.25.320`)
  })

  it.each([
    ['birth', { birthDate: '1970-02-03', sex: null }, '1970-02-03'],
    ['sex', { birthDate: null, sex: 'Female' }, 'F'],
  ])('says the %s alone, where that is all', async (_, known, said) => {
    draw([list([aStudy(known)])])
    expect(cellsOf(await rowOf(/Select Sample, Ruth/))).toMatchObject({ born: said })
  })

  it('is called by what kind of series it has, where it has no description', async () => {
    const two = ['Cine', 'Late'].map((seriesDescription, n) =>
      aScanRow({ seriesUID: `2.25.33${n}`, seriesDescription }),
    )
    draw([list([aStudy({ description: '', series: two })])])
    expect(cellsOf(await rowOf(/Select Sample, Ruth/))).toMatchObject({ study: 'Cine + 1' })
  })

  it.each([
    ['holds none', { noOfImages: 0 }],
    ['is still being prepared', { imageSetID: null }],
  ])('of a series that %s shows that it has no picture, and is not viewed by its key either', async (_, over) => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const series = [aScanRow({ seriesDescription: '', ...over })]
    const { user } = draw([list([{ ...bare, series }])])
    await rowOf(/Select No name/)
    await user.keyboard('j e')
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
    expect(preview.getByText('No series of this study has a picture that can be viewed.')).toBeVisible()
    expect(preview.getByRole('button', { name: 'View' })).toBeDisabled()
    expect(preview.getByRole('link')).toHaveTextContent(
      'noOfImages' in over ? /^MRNo descriptionMR$/ : /^No descriptionMR · 20 images$/,
    )
    expect(open).not.toHaveBeenCalled()
    open.mockRestore()
  })

  it('has no link where it has no series, and Enter stays where it is', async () => {
    const { user, path } = draw([list([aStudy({ series: [], seriesCount: 0 })])])
    const row = await rowOf(/Select Sample, Ruth/)
    expect(within(row).getByText('Sample, Ruth')).toBeVisible()
    expect(within(row).queryByRole('link')).toBeNull()
    await user.click(row)
    await user.keyboard('{Enter}')
    expect(path()).toBe('/scan/worklist')
  })
})

describe('two studies that look alike', () => {
  const other = aStudy({ studyUID: '2.25.109', arrivedDate: '2026-05-06T09:30:00.000Z' })
  const follows = () =>
    [...document.querySelectorAll<HTMLElement>('[data-study]')].map(({ dataset }) => 'follows' in dataset)

  it('are told apart by when they came', async () => {
    draw([list([ruth, other])])
    for (const day of ['2026-05-05', '2026-05-06'])
      expect(await button(new RegExp(`^View Sample, Ruth, Knee, 2026-05-04, P-1001, ${day}`))).toBeVisible()
  })

  it('are told apart by their UIDs, where they came together', async () => {
    draw([list([ruth, { ...other, arrivedDate: ruth.arrivedDate }])])
    for (const uid of [ruth.studyUID, other.studyUID])
      expect(await button(new RegExp(`^View Sample, Ruth, .*, ${uid.replaceAll('.', '[.]')}$`))).toBeVisible()
  })

  it('stand together as those of one patient only where an ID says so [P23]', async () => {
    draw([list([ruth, other])])
    await namesInOrder()
    expect(follows()).toEqual([false, true])
  })

  it('are of two patients where there is no ID, which each row says [P23]', async () => {
    draw([list([ruth, { ...other, patientName: 'Other, Olga' }, { ...ruth, studyUID: '2.25.110' }].map(withoutId))])
    expect(await namesInOrder()).toEqual([ruth.studyUID, '2.25.109', '2.25.110'])
    expect(follows()).toEqual([false, false, false])
  })

  it('say the one who has no ID beside the one who has', async () => {
    draw([list([ruth, withoutId(other)])])
    expect(within(await rowOf(/Select Sample, Ruth, Knee, 2026-05-04, P-1001/)).getAllByText('P-1001')).toHaveLength(2)
    const without = screen.getByRole('checkbox', { name: 'Select Sample, Ruth, Knee, 2026-05-04' }).closest('tr')!
    expect(within(without).getByText('No patient ID')).toBeInTheDocument()
  })
  const withoutId = (study: typeof ruth) => ({ ...study, patientID: '' })
})

it.each([
  [12, 12, null],
  [13, 13, 'and 1 more series'],
  [3, 20, 'and 17 more series'],
])('of %d series that are here of %d, the preview shows twelve and says how many more', async (here, all, said) => {
  const series = Array.from({ length: here }, (_, n) => aScanRow({ seriesUID: `2.25.4${n}` }))
  const { user } = draw([list([aStudy({ seriesCount: all, series })])])
  await rowOf(/Select Sample, Ruth/)
  await user.keyboard('j ')
  const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
  expect(preview.getAllByRole('listitem')).toHaveLength(Math.min(12, here))
  expect(preview.queryByText(/more series$/)?.textContent ?? null).toBe(said)
})

describe('what one may not do', () => {
  it('is offered neither in the row nor beside the list nor by a key', async () => {
    const { user, calls } = draw([list(), answer(scan.listShareable, [])], { as: 'service_user' })
    await user.click(await button(/More for Example, Jonas/))
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Open details',
      'All studies of the patient',
    ])
    await user.keyboard('{Escape}')
    await user.click(await rowOf(/Select Example, Jonas/))
    await user.keyboard(' s')
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }))
    expect(preview.getByRole('button', { name: 'View' })).toBeEnabled()
    expect(preview.queryByRole('button', { name: 'Share' })).toBeNull()
    await user.keyboard('xs')
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    expect(bar.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Show', 'Clear', 'View'])
    expect(calls(scan.listShareable)).toEqual([])
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('how much can be selected at once', () => {
  const ofSeries = (count: number) =>
    aStudy({
      seriesCount: count,
      series: Array.from({ length: count }, (_, n) => aScanRow({ seriesUID: `2.25.5.${n}` })),
    })
  it.each([
    [500, true],
    [501, false],
  ])('%d series at once: %s', async (count, isAllowed) => {
    const { user, calls } = draw([
      list([ofSeries(count - 1), { ...ruth, studyUID: '2.25.9', patientName: 'Other, Olga', patientID: 'P-9' }]),
      answer(scan.listShareable, []),
    ])
    await rowOf(/Select Other, Olga/)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all studies on this page' }))
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    const tooMuch = bar.queryByText('More than 500 series: select fewer studies.')
    expect(tooMuch !== null).toBe(!isAllowed)
    for (const act of ['Share…', 'Transfer…', 'Delete…'])
      expect(bar.getByRole('button', { name: act }).hasAttribute('disabled')).toBe(!isAllowed)
    await user.keyboard('s')
    await waitFor(() => expect(calls(scan.listShareable)).toHaveLength(isAllowed ? 1 : 0))
    expect(screen.queryByRole('dialog') !== null).toBe(isAllowed)
  })

  it('views the one that is selected, and no one of two', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null)
    const { user } = draw()
    await user.click(await screen.findByRole('checkbox', { name: /Select Example, Jonas/ }))
    const bar = within(await screen.findByRole('region', { name: 'Selection' }))
    await user.click(bar.getByRole('button', { name: 'View' }))
    expect(open.mock.calls[0]?.[0]).toContain('2.25.301')
    await user.click(screen.getByRole('checkbox', { name: /Select Sample, Ruth, Knee/ }))
    expect(bar.getByText('2 selected')).toBeVisible()
    expect(bar.queryByRole('button', { name: 'View' })).toBeNull()
    open.mockRestore()
  })
})
