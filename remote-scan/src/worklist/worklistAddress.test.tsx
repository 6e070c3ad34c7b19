import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import { getTimeZone } from '@dmp/kit/screen'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { button, draw, list, namesInOrder, table } from './worklistInTests.tsx'

jest.mock('@dmp/kit/screen', () => {
  const real: object = jest.requireActual('@dmp/kit/screen')
  return { ...real, getTimeZone: jest.fn(() => 'Europe/Berlin') }
})
const zone = jest.mocked(getTimeZone)
beforeEach(() => localStorage.clear())
afterEach(() => void zone.mockReturnValue('Europe/Berlin'))

const asked = async (query: string) => {
  const { calls } = draw(undefined, { at: `/scan/worklist?${query}` })
  await namesInOrder()
  return calls(scan.listStudies).at(-1)
}

describe('an address of the worklist', () => {
  it.each([
    ['page=1', { page: '1' }],
    ['page=2', { page: '2' }],
    ['page=0', { page: '1' }],
    ['page=2.5', { page: '1' }],
    ['page=999999', { page: '999999' }],
    ['page=1000000', { page: '1' }],
    ['pageSize=100', { pageSize: '100' }],
    ['pageSize=26', { pageSize: '50' }],
    [`bodyPart=${'K'.repeat(255)}`, { bodyPart: 'K'.repeat(255) }],
    [`bodyPart=${'K'.repeat(256)}`, { bodyPart: undefined }],
    ['isNew=yes', { isNew: undefined }],
    ['sort=studyDate', { sort: 'studyDate', direction: 'desc' }],
    ['sort=studyDate&direction=asc', { sort: 'studyDate', direction: 'asc' }],
    ['sort=patientName&direction=evil', { sort: 'patientName', direction: 'asc' }],
    [`searchTerm=${'s'.repeat(300)}`, { search: 's'.repeat(255) }],
    ['searchTerm=+', { search: undefined }],
  ])('that says %s asks for what can be', async (query, expected) => {
    const input: Partial<Record<string, unknown>> | undefined = await asked(query)
    for (const [name, value] of Object.entries(expected)) expect(input?.[name]).toBe(value)
  })

  it.each([
    ['receivedFrom=2026-05-01', 'Europe/Berlin', 'Europe/Berlin'],
    ['receivedTo=2026-05-01', 'Europe/Berlin', 'Europe/Berlin'],
    ['receivedTo=2026-05-01', 'UTC', undefined],
    ['studyFrom=2026-05-01', 'Europe/Berlin', undefined],
  ])('%s in %s means days of %s', async (query, here, expected) => {
    zone.mockReturnValue(here)
    expect((await asked(query))?.timeZone).toBe(expected)
  })
})

describe('where searches are not to be kept', () => {
  it('is a search in no address and no view, and can be taken back', async () => {
    const { user, path, calls, goTo } = draw(undefined, {
      at: '/scan/worklist?searchTerm=doe&isNew=true',
      settings: { hideScanSearch: true },
    })
    await namesInOrder()
    expect(calls(scan.listStudies)[0]).not.toHaveProperty('search')
    expect(screen.queryByRole('button', { name: 'Views' })).toBeNull()
    const field = screen.getByRole('searchbox', { name: 'Search studies' })
    await user.type(field, 'knee{Enter}')
    await waitFor(() => expect(calls(scan.listStudies).at(-1)).toMatchObject({ search: 'knee', isNew: 'true' }))
    await user.click(await button('New'))
    await waitFor(() => expect(calls(scan.listStudies).at(-1)).not.toHaveProperty('isNew'))
    expect(calls(scan.listStudies).at(-1)).toMatchObject({ search: 'knee' })
    expect(path()).not.toContain('knee')
    await user.click(await button('Clear all'))
    await waitFor(() => expect(calls(scan.listStudies).at(-1)).not.toHaveProperty('search'))
    expect(field).toHaveValue('')
    // Nor does the way back from a scan know of it.
    await user.type(field, 'hip{Enter}')
    await waitFor(() => expect(calls(scan.listStudies).at(-1)).toMatchObject({ search: 'hip' }))
    await goTo(`/scan/detail/${northClinic.id}/2.25.200`)
    await screen.findByText('Institution Name')
    await goTo('/scan/worklist')
    await namesInOrder()
    expect(path()).toBe('/scan/worklist')
  })
})

describe('the chips', () => {
  it('take out again what is chosen, and say two values and how many more', async () => {
    const { user, path } = draw(undefined, { at: '/scan/worklist?modality=CT,MR,US,NM&isNew=true' })
    await namesInOrder()
    const chip = screen.getByText('Modality', { selector: 'summary' })
    expect(chip).toHaveTextContent('Modality: CT, MR + 2')
    await user.click(chip)
    await user.click(await screen.findByRole('checkbox', { name: 'MR' }))
    await waitFor(() => expect(path()).toBe('/scan/worklist?modality=CT%2CUS%2CNM&isNew=true'))
    expect(chip).toHaveTextContent('Modality: CT, US + 1')
    await user.click(screen.getByRole('checkbox', { name: 'NM' }))
    await waitFor(() => expect(chip).toHaveTextContent(/^Modality: CT, US$/))
    await user.click(await button('New'))
    await waitFor(() => expect(path()).toBe('/scan/worklist?modality=CT%2CUS'))
    await user.click(await button('Clear Modality'))
    await waitFor(() => expect(path()).toBe('/scan/worklist'))
  })

  it.each([
    ['studyFrom=2026-05-01&studyTo=2026-05-01', 'Study date: 2026-05-01'],
    ['studyFrom=2026-05-01&studyTo=2026-05-02', 'Study date: 2026-05-01 to 2026-05-02'],
    ['studyTo=2026-05-02', 'Study date: to 2026-05-02'],
  ])('say of %s: %s', async (query, said) => {
    draw(undefined, { at: `/scan/worklist?${query}` })
    await table()
    expect(await screen.findByText('Study date', { selector: 'summary' })).toHaveTextContent(new RegExp(`^${said}$`))
  })
})

describe('the search', () => {
  it('keeps what somebody types while a click changes the list, and lets go of the focus once it is empty', async () => {
    const { user, goTo } = draw(undefined, { at: '/scan/worklist?searchTerm=doe' })
    await namesInOrder()
    const field = screen.getByRole('searchbox', { name: 'Search studies' })
    fireEvent.change(field, { target: { value: 'knee' } })
    await goTo('/scan/worklist?searchTerm=hip')
    expect(field).toHaveValue('knee')
    act(() => field.focus())
    await user.keyboard('{Escape}')
    expect(field).toHaveFocus()
    await user.clear(field)
    await user.keyboard('{Escape}')
    expect(field).not.toHaveFocus()
  })
})

it('says that nothing matches filters alone, and without the right to upload only why nothing is there', async () => {
  const { unmount } = draw([list([])], { at: '/scan/worklist?isNew=true' })
  expect(await screen.findByText('No studies match')).toBeVisible()
  unmount()
  const policy = toPolicy('staff').map((entry) => ({
    ...entry,
    actions: entry.actions.filter((action) => action !== 'Upload'),
  }))
  draw([list([])], { user: { policy }, as: 'staff' })
  expect(await screen.findByText('Studies appear here as soon as they are uploaded.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Upload/ })).toBeNull()
})

it('has the row height again that somebody chose', async () => {
  const { user, unmount } = draw()
  await namesInOrder()
  expect(await table()).toHaveAttribute('data-density', 'normal')
  await user.click(screen.getByText('Columns', { selector: 'summary' }))
  await user.click(screen.getByRole('radio', { name: 'Roomy' }))
  unmount()
  draw()
  expect(await table()).toHaveAttribute('data-density', 'roomy')
})
