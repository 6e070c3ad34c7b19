import { createZip } from './zipWriter.ts'

const zipOf = (...names: string[]) => createZip(names.map((name) => ({ name, bytes: Buffer.from('x') })))

describe('names in a zip', () => {
  it.each([
    ['a device of Windows', 'DICOM/CON'],
    ['a device with an ending', 'nul.txt'],
    ['a port', 'Com1'],
    ['a point at the end', 'DICOM/D00000./I0000000'],
    ['a space at the end', 'README '],
    ['a space', 'READ ME'],
    ['a backslash', 'DICOM\\I0000000'],
    ['a colon', 'C:I0000000'],
    ['letters that need an encoding', 'Müller'],
    ['a way up', 'DICOM/../I0000000'],
    ['a root', '/I0000000'],
    ['nothing between slashes', 'DICOM//I0000000'],
    ['nothing', ''],
    ['more than Windows opens', `${'D'.repeat(160)}/I`],
  ])('are never %s', async (_what, name) => {
    await expect(zipOf('DICOMDIR', name)).rejects.toThrow(TypeError)
  })

  it('are never the same but for their case', async () => {
    await expect(zipOf('DICOM/I0000001', 'dicom/i0000001')).rejects.toThrow('same name')
  })

  it('of a scan are taken', async () => {
    const zip = await zipOf('DICOMDIR', 'README.TXT', 'DICOM/D00000/I0000000', 'DICOM/D99999/I9999999')
    expect(zip.size).toBeGreaterThan(0)
  })
})
