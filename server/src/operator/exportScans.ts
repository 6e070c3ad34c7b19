import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import {
  createDirectory,
  createReadme,
  listObjectsOf,
  toEntryPath,
  type ZipDependencies,
} from '../modules/scan/download/seriesZip.ts'
import { StartFailure } from '../core/StartFailure.ts'
import {
  hashBytes,
  hashFile,
  setPattern,
  sumsFile,
  toSetName,
  toSums,
  writeWhole,
} from '../modules/organization/export/exportFormat.ts'
import { planSets } from '../modules/organization/export/planSets.ts'
import { operatorTurn } from './ingestCommand.ts'

export interface ScansWritten {
  objects: number
  bytes: number
  /** Objects that were there already, and right. */
  kept: number
  /** The list of each set, with the hash of it. */
  readonly sums: [path: string, sha256: string][]
}

/** Writes every set that is not there yet; objects are streamed one after the other. */
export async function exportScans(
  deps: ZipDependencies,
  organizationId: string,
  folder: string,
  onObject: (written: ScansWritten) => void,
  signal: AbortSignal,
): Promise<ScansWritten> {
  const written: ScansWritten = { objects: 0, bytes: 0, kept: 0, sums: [] }
  const names = new Set<string>()
  for await (const { series } of planSets(deps.db, organizationId)) {
    const name = toSetName(names.size + 1)
    names.add(name)
    const sums = await exportSet(
      deps,
      organizationId,
      { folder: join(folder, name), series },
      written,
      onObject,
      signal,
    )
    written.sums.push([`${name}/${sumsFile}`, hashBytes(sums)])
  }
  // Of scans that were deleted since the command was given before.
  for (const name of await readdir(folder))
    if (setPattern.test(name) && !names.has(name)) await rm(join(folder, name), { recursive: true })
  return written
}

async function exportSet(
  deps: ZipDependencies,
  organizationId: string,
  { folder, series }: { readonly folder: string; readonly series: readonly string[] },
  written: ScansWritten,
  onObject: (written: ScansWritten) => void,
  signal: AbortSignal,
): Promise<string> {
  const rows = await listObjectsOf(deps, organizationId, series)
  const readme = Buffer.from(createReadme(series.length))
  const directory = await createDirectory(deps, organizationId, rows, operatorTurn)
  const sums = toSums([
    ['DICOMDIR', hashBytes(directory)],
    ['README.TXT', hashBytes(readme)],
    ...rows.map((row, index) => [toEntryPath(index).join('/'), row.sha256] as const),
  ])
  // A list is written last: what stands below another one belongs to other scans.
  if ((await readFile(join(folder, sumsFile), 'utf8').catch(() => sums)) !== sums) await rm(folder, { recursive: true })
  for (const [index, row] of rows.entries()) {
    signal.throwIfAborted()
    const path = join(folder, ...toEntryPath(index))
    if (await isThere(path, Number(row.byte_size), row.sha256)) written.kept += 1
    else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const sha256 = await writeWhole(path, await deps.objects.read(row.object_key), signal)
      if (sha256 !== row.sha256)
        throw new StartFailure(
          `The object ${row.sop_instance_uid} is not what was stored. See what npm run fsck says, and export again.`,
        )
    }
    written.objects += 1
    written.bytes += Number(row.byte_size)
    onObject(written)
  }
  await removeOthers(folder, new Set(rows.map((_row, index) => join(folder, ...toEntryPath(index)))))
  await writeWhole(join(folder, 'DICOMDIR'), Readable.from([directory]), signal)
  await writeWhole(join(folder, 'README.TXT'), Readable.from([readme]), signal)
  await writeWhole(join(folder, sumsFile), Readable.from([sums]), signal)
  return sums
}

/** Halves of files, and objects that were deleted since the try that wrote them. */
async function removeOthers(folder: string, listed: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isDirectory() && !listed.has(path)) await rm(path)
  }
}

const isThere = async (path: string, size: number, sha256: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.size === size && (await hashFile(path)) === sha256
