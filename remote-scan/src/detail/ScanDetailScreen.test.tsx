import { account, audit, scan } from '@dmp/contract'
import { aScan, northClinic } from '@dmp/contract/examples'
import { CallError } from '@dmp/kit'
import { addData, answer, renderScreen, type Line, type ScreenOptions } from '@dmp/kit/testing'
import { screen, waitFor, within } from '@testing-library/react'
import { App } from '../App.tsx'
import { ScanSections } from './ScanSections.tsx'

const item = aScan({
  tags: [
    { key: '(0010,0020) Patient ID', value: 'P-1001' },
    { key: '(0008,0060) Modality', value: 'MR' },
  ],
})
const at = `/scan/detail/${northClinic.id}/${item.advanced.seriesUID}`
const others = [
  answer(scan.listDependents, { links: [], transfers: [] }),
  answer(scan.listShares, []),
  answer(scan.listStudies, { rows: [], total: 0 }),
  answer(scan.listHolds, { rows: [], total: 0 }),
  answer(audit.listActivity, { rows: [], total: 0 }),
]

const draw = (answers: readonly Line[] = [answer(scan.get, item)], options: Partial<ScreenOptions> = {}) =>
  renderScreen(<App notFound={<p>not found</p>} />, { at, as: 'admin', answers: [...others, ...answers], ...options })
const fact = (label: string) => screen.getByText(label).nextElementSibling
const button = (name: string) => screen.findByRole('button', { name })

let open: jest.SpyInstance
beforeEach(() => {
  open = jest.spyOn(window, 'open').mockReturnValue({ opener: null } as Window)
})
afterEach(() => open.mockRestore())

describe('scan detail', () => {
  it('asks for the series of the organization in its address [2.20, 7.38]', async () => {
    const { calls, container } = draw()
    expect(await screen.findByRole('heading', { level: 1, name: 'Sample, Ruth' })).toBeVisible()
    await screen.findByText('Institution Name')
    expect(container.querySelectorAll('.scan-thumbnail--large')).toHaveLength(1)
    expect(calls(scan.get)).toEqual([{ organizationId: northClinic.id, seriesUID: '2.25.200' }])
  })

  it('shows basic, patient and advanced details, and not the ids that are held [2.59, 3.13]', async () => {
    draw()
    for (const name of ['Basic Scan Details', 'Patient Details', 'Advanced Scan Details', 'Tags'])
      expect(await screen.findByRole('region', { name })).toBeVisible()
    expect(fact('Slice Thickness')).toHaveTextContent('3 mm')
    expect(fact('Patient Name')).toHaveTextContent('Sample, Ruth')
    expect(fact('BMI')).toHaveTextContent('22.9 kg/m²')
    expect(fact('Ethnicity')).toHaveTextContent('–')
    expect(fact('Series Date and Time')).toHaveTextContent('2026-05-04, 10:11:12')
    expect(fact('Compatible SaaS')).toHaveTextContent('Autometrics')
    expect(screen.queryByText(item.advanced.dataStoreID)).not.toBeInTheDocument()
    expect(screen.queryByText(item.advanced.imageSetID ?? '')).not.toBeInTheDocument()
  })

  it('shows a dash where no app can read it [3.13]', async () => {
    draw([answer(scan.get, { ...item, basic: { ...item.basic, compatibleSaas: [] } })])
    await screen.findByText('Compatible SaaS')
    expect(fact('Compatible SaaS')).toHaveTextContent('–')
  })

  it('names the patient at its top and in every dialog, and not in the tab [P23]', async () => {
    const { user } = draw()
    await screen.findByText('Patient Name')
    const header = within(screen.getByRole('group', { name: 'Patient' }))
    for (const text of ['Sample, Ruth', 'ID P-1001', 'Born 1970-02-03', 'Female', 'MR', '2026-05-04'])
      expect(header.getByText(text)).toBeVisible()
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent('Scans')
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/Sample, Ruth$/)
    for (const name of ['Download', 'Delete']) {
      await user.click(await button(name))
      const dialog = within(await screen.findByRole('dialog', { name }))
      expect(dialog.getByText('Sample, Ruth')).toBeInTheDocument()
      await user.click(dialog.getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    expect(document.title).toBe('Scan Detail · Data Management Platform')
  })

  it('shows a name in its own script beside the other one, at its top and among the details [2.59]', async () => {
    draw([answer(scan.get, { ...item, patient: { ...item.patient, name: 'Yamada, Tarou', nativeName: '山田, 太郎' } })])
    await screen.findByText('Patient Name')
    expect(fact('Patient Name')).toHaveTextContent('Yamada, Tarou · 山田, 太郎')
    expect(screen.getByRole('group', { name: 'Patient' })).toHaveTextContent(/^Yamada, Tarou · 山田, 太郎ID P-1001/)
  })

  it('closes and opens one section, or all of them [2.59]', async () => {
    const { user } = draw()
    await user.click(await button('Patient Details'))
    expect(screen.getByText('Patient ID')).not.toBeVisible()
    expect(screen.getByText('Institution Name')).toBeVisible()
    await user.click(await button('Collapse all'))
    expect(screen.getByText('Institution Name')).not.toBeVisible()
    expect(await button('Collapse all')).toBeDisabled()
    await user.click(await button('Patient Details'))
    expect(screen.getByText('Patient ID')).toBeVisible()
    expect(screen.getByText('Institution Name')).not.toBeVisible()
    await user.click(await button('Expand all'))
    expect(screen.getByText('Patient ID')).toBeVisible()
    expect(await button('Expand all')).toBeDisabled()
  })

  it('finds tags by any part of key or value [2.59, 5.19, 2.63]', async () => {
    const { user } = draw()
    const search = await screen.findByRole('searchbox', { name: 'Search' })
    await user.type(search, 'modal')
    const table = within(screen.getByRole('table', { name: 'Tags' }))
    expect(table.getByText('(0008,0060) Modality')).toBeVisible()
    expect(table.queryByText('P-1001')).not.toBeInTheDocument()
    for (const name of ['Key', 'Value']) expect(table.getByRole('columnheader', { name })).toBeVisible()
    await user.type(search, 'xyz')
    expect(await screen.findByText('No record found with the filter term.')).toBeVisible()
  })

  it('shows why it could not be loaded, in the error area [8.03]', async () => {
    draw([answer(scan.get, new CallError(404, 'NOT_FOUND', 'This scan does not exist.'))])
    expect(await screen.findByRole('alert')).toHaveTextContent('This scan does not exist.')
  })

  it('lays its sections out in two columns unless told otherwise [2.59]', async () => {
    const { container, unmount } = renderScreen(<ScanSections item={item} />, { at: '/' })
    addData(item)
    expect(container.querySelectorAll('.dmp-facts--2')).toHaveLength(3)
    unmount()
    const wide = renderScreen(<ScanSections item={item} columns={4} />, { at: '/' })
    addData(item)
    expect(wide.container.querySelectorAll('.dmp-facts--4')).toHaveLength(3)
  })
})

describe('launches', () => {
  const both = aScan({
    licensedSaas: ['Autometrics', 'BMD'],
    basic: { ...item.basic, compatibleSaas: ['Autometrics', 'BMD'] },
  })

  it('offers only apps that open such a scan and that the organization has a license for, and says why', async () => {
    draw([
      answer(scan.get, { ...both, licensedSaas: ['BMD'], basic: { ...both.basic, compatibleSaas: ['Autometrics'] } }),
    ])
    expect(await button('Autometrics')).toBeDisabled()
    expect(await button('Autometrics')).toHaveAccessibleDescription(
      'Your organization has no active license for Autometrics.',
    )
    expect(await button('BMD')).toBeDisabled()
    expect(await button('BMD')).toHaveAccessibleDescription('BMD does not open scans of this kind.')
    // Below its own button in two columns, too, where it once stood below another that is on.
    expect((await button('BMD')).nextElementSibling).toHaveTextContent('BMD does not open scans of this kind.')
    expect((await button('BMD')).parentElement?.children).toHaveLength(2)
  })

  it('leaves the license to the app where the server does not tell it', async () => {
    const { licensedSaas: _, ...untold } = both
    draw([answer(scan.get, untold)])
    expect(await button('BMD')).toBeEnabled()
  })

  it('opens the viewer in a new tab with session, datastore, study and image set [7.42]', async () => {
    const { user } = draw()
    await user.click(await button('View'))
    const url = new URL(String(open.mock.calls[0]?.[0]), 'http://dmp.example')
    expect(url.pathname).toBe('/launch')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      sessionId: '00000000-0000-4000-8000-00000000beef',
      datastore: item.advanced.dataStoreID,
      StudyInstanceUIDs: '2.25.100',
      ImageSetID: item.advanced.imageSetID,
    })
    expect(open).toHaveBeenCalledWith(expect.anything(), '_blank', 'noopener,noreferrer')
  })

  it('opens BMD with organization, study and series, Autometrics with organization and series [7.42]', async () => {
    const apps = {
      viewer: '',
      bmd: 'https://bmd.example/{organizationId}/{studyUID}/{seriesUID}?sessionId={sessionId}',
      autometrics: 'https://am.example/{organizationId}/{seriesUID}?sessionId={sessionId}',
    }
    let announced = 0
    const announce = answer(account.announceLaunch, () => {
      announced += 1
      return null
    })
    const { user, calls } = draw([answer(scan.get, both), announce], { settings: { apps } })
    await user.click(await button('BMD'))
    // Both announce the same session: each has its turn, or they could be two clicks on one button.
    await waitFor(() => expect(announced).toBe(1))
    await user.click(await button('Autometrics'))
    const session = '?sessionId=00000000-0000-4000-8000-00000000beef'
    expect(open.mock.calls.map(([url]) => url)).toEqual([
      `https://bmd.example/${northClinic.id}/2.25.100/2.25.200${session}`,
      `https://am.example/${northClinic.id}/2.25.200${session}`,
    ])
    // Each launch is announced, so that the app can exchange the session id once.
    await waitFor(() =>
      expect(calls(account.announceLaunch)).toEqual(
        Array(2).fill({ sessionId: '00000000-0000-4000-8000-00000000beef' }),
      ),
    )
  })

  it.each(['BMD', 'Autometrics'])('says that %s is not set up when it has no address', async (name) => {
    const { user } = draw([answer(scan.get, both)])
    await user.click(await button(name))
    expect(await screen.findByText(`${name} is not set up.`)).toBeVisible()
    expect(open).not.toHaveBeenCalled()
  })

  it.each(['OssView', 'PeekMed'])('shows %s without an action [7.42]', async (name) => {
    draw()
    expect(await button(name)).toHaveAccessibleDescription(`${name} cannot be opened from here yet.`)
    expect(await button(name)).toBeDisabled()
  })

  it('waits with View while the image set is being built', async () => {
    draw([answer(scan.get, { ...item, advanced: { ...item.advanced, imageSetID: null } })])
    expect(await button('View')).toBeDisabled()
    expect(screen.getByText('The images are still being prepared.')).toBeVisible()
  })

  it('offers no View where there are no images, and says what to do [7.42]', async () => {
    draw([answer(scan.get, { ...item, basic: { ...item.basic, totalSliceCount: 0 } })])
    expect(await button('View')).toBeDisabled()
    expect(screen.getByText('This scan holds no images to view. Download it to open it elsewhere.')).toBeVisible()
  })
})

describe('what is permitted', () => {
  it('an admin shares, downloads and deletes [2.59, 6.06]', async () => {
    draw()
    for (const name of ['Share', 'Download', 'Delete']) expect(await button(name)).toBeVisible()
  })

  it('staff does not delete [6.06]', async () => {
    draw(undefined, { as: 'staff' })
    expect(await button('Share')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
  })

  it('a system administrator neither deletes nor downloads [6.02, 6.06]', async () => {
    draw(undefined, { as: 'sys_admin' })
    expect(await button('Share')).toBeVisible()
    for (const name of ['Delete', 'Download']) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  })
})

describe('download', () => {
  it('asks first, then opens the one-time address in a new tab [5.14, 7.38, 8.09]', async () => {
    const { user, calls } = draw([answer(scan.get, item), answer(scan.download, { downloadUrl: '/download/once' })])
    await user.click(await button('Download'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Download' }))
    expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
    await user.click(dialog.getByRole('checkbox', { name: /Are you sure you want to download this scan\?/ }))
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect(await screen.findByText('Download started')).toBeVisible()
    expect(calls(scan.download)).toEqual([{ organizationId: northClinic.id, seriesUID: '2.25.200' }])
    expect(open).toHaveBeenCalledWith('/download/once', '_blank')
  })

  it('shows a failure inside the dialog [8.03]', async () => {
    const { user } = draw([
      answer(scan.get, item),
      answer(scan.download, new CallError(503, 'NOT_READY', 'The store does not respond.')),
    ])
    await user.click(await button('Download'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Download' }))
    await user.click(dialog.getByRole('checkbox'))
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('The store does not respond.')
  })
})
