import { mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Upload } from '@tus/server'
import { diskFull } from '../../../http/errorResponses.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { UploadFiles } from '../../dicomweb/uploadFiles.ts'
import type { ArchivePlace } from './archiveReader.ts'
import { listOpen, moveImport, type ImportRow } from './import.repository.ts'

/** As the files of uploads are called. */
export const toFileId = (importId: string): string => importId.replaceAll('-', '')
const idPattern = /^[0-9a-f]{32}$/

type FilesDependencies = Pick<Dependencies, 'arrivals' | 'db' | 'disk' | 'encryption' | 'settings' | 'stopping'>

/**
 * Archives that are uploaded, or wait to be taken in, in the data folder of the server that received them: hidden like
 * other unfinished uploads while encryption is on, and gone with their import.
 */
export class ImportFiles {
  readonly #deps: FilesDependencies
  readonly uploads: UploadFiles

  constructor(deps: FilesDependencies) {
    const directory = join(deps.settings.dataDir, 'imports')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#deps = deps
    // How long one stays is the business of its row.
    this.uploads = new UploadFiles(deps, { directory, expirationPeriodInMilliseconds: 0 })
  }

  async begin(row: Pick<ImportRow, 'id' | 'organization_id'>, bytes: number): Promise<void> {
    const metadata = await this.uploads.chooseKey(row.organization_id)
    await this.uploads.create(new Upload({ id: toFileId(row.id), size: bytes, offset: 0, metadata }))
  }

  has = async ({ id }: Pick<ImportRow, 'id'>): Promise<boolean> =>
    (await this.uploads.configstore.get(toFileId(id))) !== undefined

  async open({ id, archive_bytes }: Pick<ImportRow, 'id' | 'archive_bytes'>): Promise<ArchivePlace> {
    return { open: await this.uploads.openContent(toFileId(id)), size: Number(archive_bytes) }
  }

  /** True once every byte has arrived, also where the server was killed before it could say so. */
  async settle({ id, archive_bytes }: Pick<ImportRow, 'id' | 'archive_bytes'>): Promise<boolean> {
    const upload = await this.uploads.getUpload(toFileId(id)).catch(() => undefined)
    const bytes = Number(archive_bytes)
    if (upload?.offset !== bytes) return false
    const arrived = { state: 'Waiting', bytes_arrived: bytes, alive_date: new Date() } as const
    return moveImport(this.#deps.db, id, ['Uploading'], arrived)
  }

  remove = ({ id }: Pick<ImportRow, 'id'>): Promise<void> => this.uploads.remove(toFileId(id))

  /** Ids of the archives that lie here. */
  async #ids(): Promise<Set<string>> {
    const names = await readdir(this.uploads.directory).catch(() => [])
    return new Set(names.map((name) => name.replace(/\.json$/, '')).filter((name) => idPattern.test(name)))
  }

  /** Imports whose archives lie here; archives of those that are over are removed. */
  async listHere(): Promise<ImportRow[]> {
    const ids = await this.#ids()
    if (ids.size === 0) return []
    const rows = (await listOpen(this.#deps.db)).filter(({ id }) => ids.has(toFileId(id)))
    const open = new Set(rows.map(({ id }) => toFileId(id)))
    for (const id of ids) if (!open.has(id)) await this.uploads.remove(id)
    return rows
  }

  /** Throws 507 unless the archive, what else was promised here, and the scans in it fit on the disk. */
  async assertRoom(bytes: number): Promise<void> {
    const { disk, settings } = this.#deps
    const free = await disk.countFreeMegabytes()
    if (free === undefined) return
    const rows = await this.listHere()
    const promised = rows.reduce((sum, row) => sum + Number(row.archive_bytes) - Number(row.bytes_arrived), 0)
    const isStoredHere = settings.s3Bucket === undefined && settings.dicomWebUrl === undefined
    const needed = promised + bytes * (isStoredHere ? 2 : 1)
    if (free - settings.diskReserveMegabytes < needed / 2 ** 20) throw diskFull()
  }
}
