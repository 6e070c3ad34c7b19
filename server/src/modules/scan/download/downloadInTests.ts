import { inflateRawSync } from 'node:zlib'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

export let server: TestServer
export let admin: SignedIn
export let organizationId: string
export const objects = Array.from({ length: 5 }, (_, index) =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.9.1.${index + 1}`),
      '0020000D': text('UI', '1.9'),
      '0020000E': text('UI', '1.9.1'),
      '00200013': text('IS', String(index + 1)),
      '00100010': text('PN', 'Hidden^Name'),
    }),
  }),
)

export async function startWithSeries(): Promise<void> {
  server = await startServer()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
  await stow(server, admin, objects)
}

export const series = () => ({ organizationId, seriesUID: '1.9.1' })
export const toPath = (url: string): string => new URL(url).pathname
export const newLink = async (who = admin, of = series()): Promise<string> =>
  toPath((await who.call(scan.download, of)).data.downloadUrl)
export const open = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

/** The entries of a zip, by its central directory. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  let at = bytes.readUInt32LE(bytes.lastIndexOf(Buffer.from('PK\x05\x06')) + 16)
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [method, size, nameLength, extra, comment, offset] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
      bytes.readUInt32LE(at + 42),
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const content = bytes.subarray(start, start + size)
    entries.set(name, method === 0 ? content : inflateRawSync(content))
    at += 46 + nameLength + extra + comment
  }
  return entries
}
