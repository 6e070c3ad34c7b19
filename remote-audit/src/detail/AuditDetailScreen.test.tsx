import { audit } from '@dmp/contract'
import { anAuditDetail } from '@dmp/contract/examples'
import { addData, answer, renderScreen } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { App } from '../App.tsx'

it('has words for what an event is about, and no line for what it is not about', async () => {
  const item = anAuditDetail({
    subject: [
      { key: 'alsoSeries', value: '1.2.3' },
      { key: 'patientOf', value: '1.2.4' },
      { key: 'hasCode', value: 'false' },
      { key: 'level', value: 'series' },
      { key: 'page', value: 'null' },
      { key: 'kinds', value: 'OtherPatient, SeriesShared' },
      { key: 'name', value: 'OtherPatient' },
    ],
  })
  renderScreen(<App notFound={null} />, {
    at: `/audit/detail/${item.id}`,
    as: 'super_admin',
    answers: [answer(audit.get, item), answer(audit.getLastCheck, { check: null })],
  })
  const details = within((await screen.findByRole('heading', { name: 'Details' })).closest('section')!)
  expect(details.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Further series',
    'Patient of the study',
    'Code by mail',
    'Level',
    'Kinds',
    'Name',
  ])
  expect(details.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '1.2.3',
    '1.2.4',
    'No',
    'Series',
    'Another patient in a study, Series shared',
    // Somebody's name for something is no code.
    'OtherPatient',
  ])
})

it('has no hash before it where it is the first of its chain', async () => {
  const item = anAuditDetail({ position: 1, previousHash: '' })
  renderScreen(<App notFound={null} />, {
    at: `/audit/detail/${item.id}`,
    as: 'super_admin',
    answers: [answer(audit.get, item), answer(audit.getLastCheck, { check: null })],
  })
  const record = within((await screen.findByRole('heading', { name: 'Record' })).closest('section')!)
  expect(record.getAllByRole('button').length).toBe(1)
})

it('speaks of what only a newer server records in words of its names', async () => {
  const item = anAuditDetail({
    event: 'ScanDrawn' as never,
    subject: [
      { key: 'lensId', value: 'x' },
      { key: 'lensUID', value: 'y' },
    ],
  })
  renderScreen(<App notFound={null} />, {
    at: `/audit/detail/${item.id}`,
    as: 'super_admin',
    answers: [answer(audit.get, item), answer(audit.getLastCheck, { check: null })],
  })
  addData('Scan drawn Lens ID Lens UID x y')
  const details = within((await screen.findByRole('heading', { name: 'Details' })).closest('section')!)
  expect(details.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Lens ID', 'Lens UID'])
})
