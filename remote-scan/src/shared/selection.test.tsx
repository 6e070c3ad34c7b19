import { organization, scan } from '@dmp/contract'
import { aScanRow, northClinic, southClinic } from '@dmp/contract/examples'
import { answer, renderScreen, signInAs } from '@dmp/kit/testing'
import { render, screen, within } from '@testing-library/react'
import { App } from '../App.tsx'
import {
  imagesText,
  rectanglesText,
  scansText,
  seriesText,
  studiesText,
  sumImages,
  timesText,
  daysText,
} from './counts.ts'
import { rememberedOrganization } from './rememberedOrganization.ts'
import { resultMaker } from './resultTexts.ts'
import { SubjectList } from './SubjectList.tsx'
import { toSubject } from './scanSubject.ts'

it.each([
  [{ frames: 1 }, '1 image'],
  [{ frames: 2 }, '2 images'],
  [{ frames: 2, imageInstances: 1 }, '1 image · 2 frames'],
  [{ frames: 1, imageInstances: 2 }, '2 images · 1 frame'],
  [{ frames: 0, imageInstances: 0 }, '0 images'],
  [{ frames: null }, ''],
  [{ frames: 3, imageInstances: null }, ''],
])('says of %j: %s', (count, said) => expect(imagesText(count)).toBe(said))

it('adds up images, also of what does not say them', () => {
  const sum = sumImages([
    { frames: 3 },
    { frames: 4, imageInstances: 2 },
    { frames: null },
    { frames: null, imageInstances: 5 },
  ])
  expect(sum).toEqual({ frames: 7, imageInstances: 10 })
})

it.each([
  [scansText, '1 scan', '2 scans'],
  [seriesText, '1 series', '2 series'],
  [studiesText, '1 study', '2 studies'],
  [daysText, '1 day', '2 days'],
  [timesText, '1 time', '2 times'],
  [rectanglesText, '1 rectangle', '2 rectangles'],
])('%# counts one and two: %s', (toText, one, two) => expect([toText(1), toText(2)]).toEqual([one, two]))

it.each([
  [{ madeBy: 'Acme', sender: 'Acme' }, 'Acme'],
  [{ madeBy: 'Acme', sender: 'Trial' }, 'Acme · Trial'],
  [{ madeBy: null, sender: 'Trial' }, 'Trial'],
])('says who made a result, once: %j', (of, said) => expect(resultMaker({ kind: 'Report', ...of })).toBe(said))

describe('what a confirmation is about', () => {
  it.each([
    [4, false],
    [5, true],
  ])('%d of them can be scrolled by the keyboard: %s', (count, scrolls) => {
    const rows = Array.from({ length: count }, (_, n) => aScanRow({ seriesUID: `2.25.${n}` }))
    render(<SubjectList subjects={rows.map(toSubject)} />)
    expect(screen.queryByRole('region', { name: 'Scans, scrollable' }) !== null).toBe(scrolls)
    expect(screen.getByText(`${count} scans of 1 patient, ${count * 20} images`)).toBeVisible()
  })

  it('says that there is no name and no ID, and adds up nothing of one', () => {
    render(<SubjectList subjects={[toSubject(aScanRow({ patientName: '', patientID: '' }))]} />)
    expect(screen.getByRole('listitem')).toHaveTextContent(/^No nameNo patient ID/)
    expect(screen.queryByText(/scans of/)).toBeNull()
  })
})

it('closes the list of what is selected with the last one in it', async () => {
  const { user } = renderScreen(<App notFound={null} />, {
    at: '/scan',
    as: 'admin',
    answers: [
      answer(scan.list, { rows: [aScanRow()], total: 1 }),
      answer(scan.listTransfers, []),
      answer(scan.listFilters, []),
    ],
  })
  await user.click(await screen.findByRole('checkbox', { name: /Sample, Ruth/ }))
  await user.click(await screen.findByRole('button', { name: 'Show' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Selected scans' }))
  await user.click(dialog.getByRole('button', { name: /^Deselect Sample, Ruth/ }))
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: /Sample, Ruth/ }))
  expect(screen.getByRole('region', { name: 'Selection' })).toBeVisible()
  expect(screen.queryByRole('dialog')).toBeNull()
})

describe('the organization whose scans are shown', () => {
  it('is not remembered for having no datastore, but where it was chosen', async () => {
    const choices = [{ ...northClinic, hasDatastore: false }]
    renderScreen(<App notFound={null} />, {
      at: '/scan',
      as: 'sys_admin',
      answers: [
        answer(organization.listActivated, choices),
        answer(scan.list, { rows: [], total: 0 }),
        answer(scan.listTransfers, []),
        answer(scan.listFilters, []),
      ],
    })
    await screen.findByText('No record found.')
    expect(rememberedOrganization.read()).toBeNull()
  })

  it('is remembered for each person alone', () => {
    signInAs('sys_admin')
    rememberedOrganization.keep(southClinic.id)
    expect(rememberedOrganization.read()).toBe(southClinic.id)
    signInAs(null)
    expect(rememberedOrganization.read()).toBeNull()
  })
})
