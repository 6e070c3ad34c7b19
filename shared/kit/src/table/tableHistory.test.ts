import { tableHistory } from './tableHistory.ts'

afterEach(() => localStorage.clear())

it('remembers the organization of one module’s list, until none or another module’s is chosen [2.58, 9.11]', () => {
  expect(tableHistory.selectedOrganization('scan')).toBeNull()
  tableHistory.selectOrganization('scan', 'north')
  expect([tableHistory.selectedOrganization('scan'), tableHistory.selectedOrganization('user')]).toEqual([
    'north',
    null,
  ])
  tableHistory.selectOrganization('scan', null)
  expect(tableHistory.selectedOrganization('scan')).toBeNull()
})

it('remembers a list beside its organization, and nothing where the storage holds something else [9.11]', () => {
  tableHistory.selectOrganization('scan', 'north')
  tableHistory.open('scan', '?page=2', '/scan/detail/1')
  expect([tableHistory.list('scan'), tableHistory.selectedOrganization('scan')]).toEqual(['?page=2', 'north'])
  localStorage.setItem('dataTableHistory', 'not json')
  expect([tableHistory.list('scan'), tableHistory.selectedOrganization('scan')]).toEqual(['', null])
})
