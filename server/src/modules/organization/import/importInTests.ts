import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { organization } from '@dmp/contract'
import { isImportOpen, type OrganizationImport } from '@dmp/contract/organization'
import type { SignedIn, TestServer } from '../../../testing/server.ts'
import { unzip } from '../../scan/download/downloadInTests.ts'
import { endRecords, localHeader, toDirectory } from '../export/archiveFormat.ts'
import { formatName, hashBytes, recordKinds, toSums } from '../export/exportFormat.ts'
import { addressOf, exported, get, password } from '../export/exportInTests.ts'

export type Files = Map<string, Buffer>

/** The archive of North, as its administrator downloads it. */
export const archiveOfNorth = async (): Promise<Buffer> => (await get(await addressOf(await exported()))).rawPayload

export const filesOf = (archive: Buffer): Files => new Map(unzip(archive))

/** As the export writes it: stored, with its directory behind. */
export function toZip(files: Iterable<readonly [string, Buffer]>): Buffer {
  const all = [...files]
  const facts = all.map(([name, bytes]) => ({ name, size: bytes.length, crc: crc32(bytes) }))
  const { bytes, end } = toDirectory(facts, 0)
  const stored = all.map(([, content], index) => Buffer.concat([localHeader(facts[index] as never), content]))
  return Buffer.concat([...stored, bytes, endRecords({ files: all.length, start: end, bytes: bytes.length })])
}

/** With the hashes that its files have by now, as whoever alters them would write. */
export function withSums(files: Files): Files {
  const own = [...files.keys()].filter((name) => /^[^/]+\.json$/.test(name) || /^scans-\d+\/SHA256SUMS$/.test(name))
  files.set('SHA256SUMS', Buffer.from(toSums(own.map((name) => [name, hashBytes(files.get(name) ?? '')]))))
  return files
}

export const tusHeaders = (at: number) => ({
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': String(at),
})

export function importsOf(server: TestServer) {
  const toPath = ({ id }: Pick<OrganizationImport, 'id'>): string => `/api/Organization/imports/${id}`
  const start = (who: SignedIn, id: string, bytes: number, secret = password) =>
    who.call(organization.startImport, { id, bytes, password: secret })
  const list = async (who: SignedIn, id: string): Promise<OrganizationImport[]> =>
    (await who.call(organization.listImports, { id })).data
  const send = (who: SignedIn, item: Pick<OrganizationImport, 'id'>, bytes: Buffer, at = 0) =>
    server.app.inject({
      method: 'PATCH',
      url: toPath(item),
      headers: { ...who.headers, ...tusHeaders(at) },
      payload: bytes,
    })
  const head = (who: SignedIn, item: Pick<OrganizationImport, 'id'>) =>
    server.app.inject({ method: 'HEAD', url: toPath(item), headers: { ...who.headers, 'tus-resumable': '1.0.0' } })
  const settled = async (who: SignedIn, id: string): Promise<OrganizationImport> => {
    for (;;) {
      const [newest] = await list(who, id)
      if (newest && !isImportOpen(newest)) return newest
      await pause(50)
    }
  }
  const begun = async (who: SignedIn, id: string, bytes: number): Promise<OrganizationImport> => {
    const { status, message, data } = await start(who, id, bytes)
    if (status !== 200 || !data[0]) throw new Error(message)
    return data[0]
  }
  /** From the start to what became of it. */
  const imported = async (who: SignedIn, id: string, archive: Buffer): Promise<OrganizationImport> => {
    const item = await begun(who, id, archive.length)
    const reply = await send(who, item, archive)
    if (reply.statusCode !== 204) throw new Error(reply.body)
    return settled(who, id)
  }
  return { start, begun, list, send, head, settled, imported }
}

/** What an organization has, by which an import that must change nothing is judged. */
export async function stockOf({ deps: { db } }: TestServer, organizationId: string) {
  const count = async (table: 'instances' | 'imported_records' | 'users'): Promise<number> => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return {
    objects: await count('instances'),
    records: await count('imported_records'),
    people: await count('users'),
  }
}

export const recordNames = recordKinds.map((kind) => `${kind}.json`)

/** An export of these objects and nothing else, written by hand. */
export function composeArchive(objects: readonly Buffer[]): Files {
  const files: Files = new Map()
  const names = objects.map((_, index) => `DICOM/D00000/I${String(index).padStart(5, '0')}`)
  const sums = toSums(names.map((name, index) => [name, hashBytes(objects[index] ?? '')]))
  files.set('scans-0001/SHA256SUMS', Buffer.from(sums))
  for (const [index, name] of names.entries()) files.set(`scans-0001/${name}`, objects[index] ?? Buffer.alloc(0))
  for (const name of recordNames) files.set(name, Buffer.from('[]\n'))
  const head = {
    format: formatName,
    version: 1,
    organizationId: '00000000-0000-4000-8000-00000000beef',
    organization: 'Elsewhere',
    date: '2026-01-01T00:00:00.000Z',
    counts: { objects: objects.length },
  }
  files.set('export.json', Buffer.from(JSON.stringify(head)))
  return withSums(files)
}
