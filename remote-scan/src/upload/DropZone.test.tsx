import { renderScreen, signInAs } from '@dmp/kit/testing'
import { act, screen } from '@testing-library/react'
import { DropZone } from './DropZone.tsx'
import { pickedFiles, type PickedFile } from './droppedFiles.ts'

jest.mock('./droppedFiles.ts', () => ({ pickedFiles: jest.fn(), droppedFiles: jest.fn() }))

it('does not hand over, as the next person, what somebody chose who has left [P02]', async () => {
  let read: ((picked: PickedFile[]) => void) | undefined
  jest.mocked(pickedFiles).mockReturnValue(new Promise((resolve) => (read = resolve)))
  const onPick = jest.fn()
  const { user } = renderScreen(<DropZone organization="North-Clinic" onPick={onPick} />, { at: '/' })
  const file = new File(['x'], 'a.dcm')
  await user.upload(screen.getByLabelText('Files'), [file])
  expect(pickedFiles).toHaveBeenCalledTimes(1)
  act(() => signInAs('admin'))
  await act(async () => read?.([{ path: 'a.dcm', size: 1, open: () => Promise.resolve(file) }]))
  expect(onPick).not.toHaveBeenCalled()
})
