import { northClinic } from '@dmp/contract/examples'
import { addData } from '@dmp/kit/testing'
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import { uploadQueue } from '../upload/uploadQueue.ts'
import { draw, namesInOrder, table } from './worklistInTests.tsx'

const aFile = (name: string) => ({
  isFile: true,
  fullPath: `/${name}`,
  file: (take: (file: File) => void) => take(new File(['dicom'], name)),
})
const broken = { ...aFile('a.dcm'), file: (_take: unknown, refuse: (cause: unknown) => void) => refuse('NotFound') }
const refused = {
  ...aFile('a.zip'),
  file: (_take: unknown, refuse: (cause: unknown) => void) => refuse(new Error('This zip is broken.')),
}
const drag = (entries: readonly unknown[], types = ['Files']) => ({
  dataTransfer: { types, items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) },
})
const line = () => screen.queryByText('Drop to upload to North-Clinic')
// jsdom's drags know nothing of where they go.
const leave = (from: HTMLElement, to: HTMLElement | null) =>
  fireEvent(from, Object.defineProperty(createEvent.dragLeave(from), 'relatedTarget', { value: to }))

let add: jest.SpyInstance
beforeEach(() => {
  add = jest.spyOn(uploadQueue, 'add').mockImplementation(() => undefined)
})
afterEach(() => add.mockRestore())

describe('files that are dragged onto the worklist', () => {
  it('are announced while they are over it, by its organization, and no more once they leave', async () => {
    draw()
    await namesInOrder()
    const box = await table()
    fireEvent.dragOver(box, drag([], ['text/plain']))
    expect(line()).toBeNull()
    fireEvent.dragOver(box, drag([]))
    expect(line()).toBeVisible()
    leave(box, screen.getByRole('searchbox'))
    expect(line()).toBeVisible()
    leave(box, null)
    expect(line()).toBeNull()
  })

  it.each([
    ['one file', [aFile('1.dcm')], ['1.dcm'], 'Uploading 1 file. See Tasks for the progress.'],
    [
      'two files, and something that is none',
      [aFile('1.dcm'), null, aFile('2.dcm')],
      ['1.dcm', '2.dcm'],
      'Uploading 2 files. See Tasks for the progress.',
    ],
    ['what a file manager leaves', [aFile('.DS_Store')], undefined, 'No files were found in your selection.'],
    ['a zip that cannot be read', [refused], undefined, 'This zip is broken.'],
    ['a file that is gone', [broken], undefined, 'Your selection could not be read.'],
  ])('%s: uploaded, or said why not', async (_, entries, expected, said) => {
    draw()
    addData('This zip is broken.')
    await namesInOrder()
    const box = await table()
    fireEvent.dragOver(box, drag(entries))
    fireEvent.drop(box, drag(entries))
    expect(await screen.findByText(said)).toBeInTheDocument()
    expect(line()).toBeNull()
    const sent = add.mock.calls.map(([into, picked]: [string, { path: string }[]]) => [into, picked.map((p) => p.path)])
    expect(sent).toEqual(expected ? [[northClinic.id, expected]] : [])
  })

  it('are left alone where they are no files', async () => {
    draw()
    await namesInOrder()
    const isLeft = fireEvent.drop(await table(), drag([aFile('1.dcm')], ['text/uri-list']))
    expect(isLeft).toBe(true)
    await waitFor(() => expect(add).not.toHaveBeenCalled())
  })
})
