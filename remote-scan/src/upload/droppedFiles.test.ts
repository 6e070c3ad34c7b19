import { droppedFiles, pickedFiles } from './droppedFiles.ts'

const aFile = (name: string, size = 4) => new File(['x'.repeat(size)], name)

it('leaves out what file managers leave in folders', async () => {
  const list = [aFile('.DS_Store'), aFile('Thumbs.db', 0), aFile('image.dcm')] as unknown as FileList
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

it('names the files of a chosen folder by their paths below it, and has none of nothing', async () => {
  const inFolder = Object.defineProperty(aFile('1.dcm'), 'webkitRelativePath', { value: 'knee/1.dcm' })
  expect((await pickedFiles([inFolder] as unknown as FileList)).map(({ path }) => path)).toEqual(['knee/1.dcm'])
  expect(await pickedFiles(null)).toEqual([])
})

it.each([
  [22, 'a file'],
  [23, 'a zip'],
])('takes what begins like a zip and has %d bytes for %s', async (size, kind) => {
  const bytes = new Uint8Array(size)
  bytes.set([0x50, 0x4b, 3, 4])
  const zip = Object.assign(await new Response(bytes).blob(), { name: 'a.bin', webkitRelativePath: '' })
  const picked = pickedFiles([zip] as unknown as FileList)
  expect((await picked).map(({ path }) => path)).toEqual(['a.bin'])
  const opened = (await picked)[0]?.open()
  if (kind === 'a file') expect(await opened).toBe(zip)
  else await expect(opened).rejects.toThrow('This zip is damaged')
})
