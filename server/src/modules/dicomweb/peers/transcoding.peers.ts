import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { readInstanceBytes } from '../../../dicom/instance.ts'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

/** Objects that others' decoders read beside ours: those of our samples, and those of pydicom. */
const candidates = [
  ...sampleObjects().filter((path) => !/brain_|papaya/.test(path)),
  ...globSync('/usr/lib/python3/dist-packages/pydicom/data/test_files/*.dcm').filter((path) =>
    /MR_small|JPEG2000\.dcm|JPEG-lossy|SC_rgb_(?:rle|jpeg_gdcm|jpeg_dcmtk|gdcm_KY|small_odd)|J2K_pixel|rtdose_rle/.test(
      path,
    ),
  ),
]

/** Pixels as numpy sees them, with the colours that the object says; one line of JSON. */
const script = `
import sys, json, hashlib, numpy, pydicom
for path in sys.argv[1:]:
    dataset = pydicom.dcmread(path)
    if dataset.file_meta.TransferSyntaxUID.name == 'RLE Lossless': dataset.decompress('rle')
    array = numpy.ascontiguousarray(dataset.pixel_array)
    array = array.astype(array.dtype.newbyteorder('<'))
    digest = hashlib.sha256(array.tobytes()).hexdigest()
    print(json.dumps([dataset.PhotometricInterpretation, list(array.shape), digest]))
`
const readPixels = (path: string): unknown =>
  JSON.parse(
    execFileSync('/usr/bin/python3', ['-c', script, path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )

let server: TestServer
let staff: SignedIn
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dmp-transcoding-'))
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

it('has objects to try', () => {
  expect(candidates.length).toBeGreaterThan(15)
})

it.each(candidates.map((path) => [basename(path), path]))(
  '%s in explicit little endian is what pydicom and gdcm make of it, and dcmtk reads it',
  async (_name, path) => {
    const bytes = readFileSync(path)
    const original = await readInstanceBytes(bytes)
    expect([200, 202, 409]).toContain((await stow(server, staff, [bytes])).statusCode)
    const { studyUID, seriesUID, sopInstanceUID, part10 } = original
    const { uid } = part10.transferSyntax
    const url = `/dicom-web/studies/${studyUID}/series/${seriesUID}/instances/${sopInstanceUID}`
    const stored = await server.app.inject({ url, headers: { ...staff.headers, accept: 'application/dicom' } })
    // Other ways of writing an object have its UID, and are refused beside it.
    if (!stored.rawPayload.equals(bytes)) return
    const accept = `application/dicom; transfer-syntax=${explicitLittleEndianUID}`
    const reply = await server.app.inject({ url, headers: { ...staff.headers, accept } })
    expect([uid, reply.statusCode]).toEqual([uid, 200])
    const [made, reference] = [join(folder, 'made.dcm'), join(folder, 'reference.dcm')]
    writeFileSync(made, reply.rawPayload)
    const dump = execFileSync('dcmdump', ['+P', '0002,0010', made], { encoding: 'utf8' })
    expect(dump).toContain('LittleEndianExplicit')
    const [photometric, shape, digest] = readPixels(made) as [string, number[], string]
    const isCompressed = findTransferSyntax(uid)?.isEncapsulated ?? false
    if (isCompressed && uid !== '1.2.840.10008.1.2.5')
      execFileSync('gdcmconv', ['--raw', path, reference], { stdio: 'ignore' })
    else writeFileSync(reference, bytes)
    const [theirs, theirShape, theirDigest] = readPixels(reference) as [string, number[], string]
    expect(shape).toEqual(theirShape)
    // gdcm leaves the luminance and colours of JPEG, which ours turns into RGB as the viewer needs it.
    if (photometric === theirs) expect([path, digest]).toEqual([path, theirDigest])
    else expect([photometric, theirs.startsWith('YBR')]).toEqual(['RGB', true])
  },
)
