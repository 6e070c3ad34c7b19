import * as complaint from '@dmp/contract/complaint'
import { aComplaintRow } from '@dmp/contract/examples'
import type { Search } from '@dmp/kit'
import { addData, type Line } from '@dmp/kit/testing'
import { screen, within } from '@testing-library/react'
import { Shell } from '../shell/Shell.tsx'
import { aSearch } from '../testing/placeSearches.ts'
import { renderPage } from '../testing/renderPage.ts'

/** @param found what searches find, which no language has words for */
export const drawPage = (found: string, answers: readonly Line[] = []) => {
  const drawn = renderPage(
    <Shell>
      <h1>Page</h1>
      <button type="button">Before</button>
    </Shell>,
    { at: '/dashboard', as: 'staff', answers },
  )
  addData(found)
  return drawn
}

export const field = () => screen.findByRole('combobox', { name: 'Search everything' })
export const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
export const group = (name: string) => within(screen.getByRole('group', { name }))
export const active = async () => {
  const id = (await field()).getAttribute('aria-activedescendant')
  return id === null ? null : document.getElementById(id)?.textContent
}

/** What the server is asked for, through the contract. */
export const searchComplaints: Search = async ({ term, ask }) => {
  const { rows } = await ask(complaint.list, { search: term })
  return rows.map(({ complaintNumber }) => ({ to: `/complaint/detail/${complaintNumber}`, text: complaintNumber }))
}
export const rowsOf = (...names: string[]) => ({
  rows: names.map((complaintNumber) => aComplaintRow({ complaintNumber })),
  total: names.length,
})
export const complaints = () => ({
  searches: [aSearch('searchComplaints', 'Complaints', { order: 60 })],
  module: { searchComplaints },
})
