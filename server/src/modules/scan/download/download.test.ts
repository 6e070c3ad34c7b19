import { scan } from '@dmp/contract'
import { part10Start } from '@dmp/dimse/elementWriter'
import { readInstanceBytes } from '../../../dicom/instance.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import {
  server,
  admin,
  organizationId,
  objects,
  startWithSeries,
  series,
  toPath,
  newLink,
  open,
  unzip,
} from './downloadInTests.ts'

beforeAll(startWithSeries)
afterAll(() => server.close())

describe('download [7.38]', () => {
  it('is a zip of the series as it was uploaded, with a DICOMDIR that finds each object [7.38]', async () => {
    const reply = await open(await newLink())
    expect([reply.statusCode, reply.headers['content-type'], Number(reply.headers['content-length'])]).toEqual([
      200,
      'application/zip',
      reply.rawPayload.length,
    ])
    // Else a proxy takes the whole of it ahead of a slow reader.
    expect(reply.headers).toMatchObject({ 'x-accel-buffering': 'no', 'cache-control': 'private, no-store' })
    const entries = unzip(reply.rawPayload)
    expect([...entries.keys()]).toEqual([
      'DICOMDIR',
      'README.TXT',
      ...objects.map((_, index) => `DICOM/D00000/I000000${index}`),
    ])
    // Files that whoever unpacks them may read and write, and nobody may run.
    const records = reply.rawPayload.toString('latin1').split('PK\x01\x02').slice(1)
    expect(new Set(records.map((record) => Buffer.from(record, 'latin1').readUInt32LE(34) >>> 16))).toEqual(
      new Set([0o100644]),
    )
    objects.forEach((bytes, index) => expect(entries.get(`DICOM/D00000/I000000${index}`)?.equals(bytes)).toBe(true))

    const directory = entries.get('DICOMDIR') ?? Buffer.alloc(0)
    await expect(readInstanceBytes(directory)).rejects.toMatchObject({ reason: 'DICOMDIR' })
    const directoryText = directory.toString('latin1')
    expect(['PATIENT', 'STUDY', 'SERIES', 'IMAGE'].every((type) => directoryText.includes(type))).toBe(true)
    expect(directoryText).toContain('DICOM\\D00000\\I0000004')
    // Each record names where the next and the lower one begin: walking them finds all five images.
    const item = Buffer.from([0xfe, 0xff, 0x00, 0xe0])
    const recordAt = (offset: number) => ({
      next: directory.readUInt32LE(offset + 8 + 8),
      lower: directory.readUInt32LE(offset + 8 + 8 + 4 + 10 + 8),
    })
    let at = directory.indexOf(item)
    for (let level = 0; level < 3; level++) at = recordAt(at).lower
    let images = 0
    for (; at !== 0; at = recordAt(at).next) {
      expect(directory.subarray(at, at + 4).equals(item)).toBe(true)
      images += 1
    }
    expect(images).toBe(5)
  })

  it('lists what is no image in its DICOMDIR as what it is [7.38]', async () => {
    const sopClassUID = '1.2.840.10008.5.1.4.1.1.66.1'
    const elements = Object.fromEntries(
      Object.entries(
        slice({
          '00080016': text('UI', sopClassUID),
          '00080018': text('UI', '1.9.2.1'),
          '0020000D': text('UI', '1.9.3'),
          '0020000E': text('UI', '1.9.2'),
        }),
      ).filter(([tag]) => !/^(?:0028|7FE0)/.test(tag)),
    )
    const registration = dicomFile({
      elements,
      start: part10Start({ sopClassUID, sopInstanceUID: '1.9.2.1', transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    })
    expect((await stow(server, admin, [registration])).statusCode).toBe(200)
    const link = toPath((await admin.call(scan.download, { organizationId, seriesUID: '1.9.2' })).data.downloadUrl)
    const allText =
      unzip((await open(link)).rawPayload)
        .get('DICOMDIR')
        ?.toString('latin1') ?? ''
    expect([allText.includes('REGISTRATION'), allText.includes('IMAGE')]).toEqual([true, false])
  })

  it('is not used up by a HEAD, such as that of a mail scanner [P24]', async () => {
    const link = await newLink()
    const peek = () => server.app.inject({ method: 'HEAD', url: link })
    const reply = await peek()
    expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([200, 'application/zip', ''])
    expect((await peek()).statusCode).toBe(200)
    expect((await open(link)).statusCode).toBe(200)
    expect((await peek()).statusCode).toBe(404)
  })

  it('does not open when made up, late, or of somebody who was deactivated', async () => {
    expect((await open(`/api/Scan/downloads/${'A'.repeat(43)}`)).statusCode).toBe(404)
    const late = await newLink()
    await server.deps.db
      .updateTable('scan_downloads')
      .set({ expires_date: new Date(Date.now() - 1000) })
      .where('used_date', 'is', null)
      .execute()
    expect((await open(late)).statusCode).toBe(404)
    const unusedLink = await newLink()
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', admin.userId).execute()
    expect((await open(unusedLink)).statusCode).toBe(404)
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', admin.userId).execute()
  })

  it('waits a quarter of an hour for its link to be opened [P25]', async () => {
    await newLink()
    const rows = await server.deps.db
      .selectFrom('scan_downloads')
      .select('expires_date')
      .where('used_date', 'is', null)
      .execute()
    expect(
      Math.max(...rows.map(({ expires_date: expires }) => Math.round((expires.getTime() - Date.now()) / 60_000))),
    ).toBe(15)
  })

  it('is refused for scans of others and without Scan/Download [6.02, P01, P02]', async () => {
    expect((await (await server.signIn('admin@south.example')).call(scan.download, series())).status).toBe(404)
    expect((await (await server.signIn('sys_admin')).call(scan.download, series())).status).toBe(403)
    expect((await admin.call(scan.download, { organizationId, seriesUID: '1.2.404' })).status).toBe(404)
  })

  it('keeps tokens and names out of database, log and file name [P23, P25]', async () => {
    const link = await newLink()
    const token = link.split('/').at(-1) ?? ''
    const reply = await open(link)
    expect(JSON.stringify(await server.deps.db.selectFrom('scan_downloads').selectAll().execute())).not.toContain(token)
    expect(server.logs.join('')).not.toContain(token)
    expect(String(reply.headers['content-disposition'])).toMatch(/^attachment; filename="scan-[0-9a-f]{8}\.zip"$/)
    const audit = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScanDownloaded')
      .execute()
    expect(audit[0]?.subject).toEqual({ seriesUID: '1.9.1' })
  })

  it('takes no name from what was sent: neither the header nor the zip has a part that a sender wrote', async () => {
    const hostile = dicomFile({
      elements: slice({
        '00080018': text('UI', '1.9.7.1'),
        '0020000D': text('UI', '1.90'),
        '0020000E': text('UI', '1.9.7'),
        '0008103E': text('LO', '../../evil'),
        '00100010': text('PN', 'X"; filename="evil.exe'),
        '00100020': text('LO', 'evil'),
      }),
    })
    expect((await stow(server, admin, [hostile])).statusCode).toBe(200)
    const reply = await open(await newLink(admin, { organizationId, seriesUID: '1.9.7' }))
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="scan-[0-9a-f]{8}\.zip"$/)
    const names = [...unzip(reply.rawPayload).keys()]
    expect(names).toEqual(['DICOMDIR', 'README.TXT', 'DICOM/D00000/I0000000'])
  })
})
