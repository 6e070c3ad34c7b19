import { droppedFiles, pickedFiles } from './droppedFiles.ts'

const aFile = (name: string, size = 4) => new File(['x'.repeat(size)], name)

it('leaves out what file managers leave in folders', async () => {
  const list = [aFile('.DS_Store'), aFile('Thumbs.db'), aFile('empty', 0), aFile('image.dcm')] as unknown as FileList
  expect((await pickedFiles(list)).map(({ path }) => path)).toEqual(['image.dcm'])
})

it('opens a dropped folder to its end, portion by portion, with what lies deeper', async () => {
  const file = (path: string) => ({
    isFile: true,
    fullPath: path,
    file: (take: (file: File) => void) => take(aFile(path)),
  })
  const folder = (...portions: unknown[][]) => ({
    isFile: false,
    createReader: () => ({ readEntries: (take: (entries: unknown[]) => void) => take(portions.shift() ?? []) }),
  })
  const dropped = folder([file('/knee/1.dcm'), file('/knee/2.dcm')], [folder([file('/knee/more/3.dcm')])])
  const items = [
    { webkitGetAsEntry: () => dropped },
    { webkitGetAsEntry: () => null },
  ] as unknown as DataTransferItemList
  expect((await droppedFiles(items)).map(({ path }) => path)).toEqual(['knee/1.dcm', 'knee/2.dcm', 'knee/more/3.dcm'])
})
