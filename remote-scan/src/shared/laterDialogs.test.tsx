import { useKeys } from '@dmp/kit'
import { renderScreen } from '@dmp/kit/testing'
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { SaveFilterModal } from './laterDialogs.tsx'

let mockIsAway = true
jest.mock('./dialogs.ts', () => {
  if (mockIsAway) throw new Error('The line is gone.')
  return { SaveFilterModal: () => <p role="alert" /> }
})

const select = jest.fn()

function Page() {
  const [isOpen, setOpen] = useState(false)
  useKeys([{ label: 'Select', group: 'Scans', keys: ['x'], run: select }])
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Save
      </button>
      {isOpen && <SaveFilterModal search="" sortColumn="" sortDirection="" onClose={() => setOpen(false)} />}
    </>
  )
}

describe('a dialog that comes after the list', () => {
  it('keeps keys from the page until it is there; says when it cannot be had, closes, and opens the next time', async () => {
    renderScreen(<Page />, { at: '/scan' })
    const save = screen.getByRole('button', { name: 'Save' })
    fireEvent.click(save)
    fireEvent.keyDown(document.body, { key: 'x' })
    expect(select).not.toHaveBeenCalled()
    expect(await screen.findByText('This could not be opened. Check your connection and try again.')).toBeVisible()
    fireEvent.keyDown(document.body, { key: 'x' })
    expect(select).toHaveBeenCalledTimes(1)
    mockIsAway = false
    fireEvent.click(save)
    expect(await screen.findByRole('alert')).toBeInTheDocument()
  })
})
