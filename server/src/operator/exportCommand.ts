import { mkdir, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { inTurnOf } from '../core/asker.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Db } from '../db/client.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  createSchema,
  ExportHead,
  formatName,
  mostHeadBytes,
  recordKinds,
  sumsFile,
  toJsonLines,
  toSums,
  writeWhole,
} from '../modules/organization/export/exportFormat.ts'
import { readRecords } from '../modules/organization/export/exportRecords.ts'
import { exportScans } from './exportScans.ts'
import { assertOwnFolder, readShortFile } from './folders.ts'
import { operatorContext, operatorTurn } from './ingestCommand.ts'
import { oneAtATime } from '../modules/organization/oneAtATime.ts'
import type { Say } from './operatorCommands.ts'

const ExportInput = v.strictObject({ folder: v.string(), organization: v.string() })
const megabyte = 2 ** 20
/** Lists and records, and what the disk is needed for besides. */
const spareBytes = 256 * megabyte

type ExportDependencies = Pick<
  Dependencies,
  'db' | 'database' | 'write' | 'objects' | 'encryption' | 'reader' | 'settings'
>

/** Writes everything of an organization into a folder. Given again it goes on: what is there and right stays. */
export async function exportCommand(
  deps: ExportDependencies,
  input: unknown,
  say: Say,
  stopping: AbortSignal,
): Promise<void> {
  const { folder, organization: name } = v.parse(ExportInput, input)
  const organization = await findOrganization(deps.db, name)
  await oneAtATime(deps.database, organization, stopping, async (signal) => {
    const total = await readTotals(deps.db, organization.id)
    await prepareFolder(folder, organization, total.bytes)
    say({ text: `Writing ${organization.name} to ${folder}` })
    const context = operatorContext('export')
    const audit = (subject: object) =>
      deps.write(context, async (write) =>
        write.audit({ event: 'OrganizationExported', organizationId: organization.id, subject: { ...subject } }),
      )
    // Before the first byte leaves: an export that is broken off has left, too.
    await audit({ state: 'begun' })
    await inTurnOf(operatorTurn, async () => {
      const scans = await exportScans(
        deps,
        organization.id,
        folder,
        ({ objects, bytes }) => say({ progress: { done: objects, total: Math.max(total.objects, objects), bytes } }),
        signal,
      )
      const counts: Record<string, number> = { objects: scans.objects }
      const sums = [...scans.sums]
      for (const kind of recordKinds) {
        counts[kind] = 0
        const count = (rows: number): void => void (counts[kind] = (counts[kind] ?? 0) + rows)
        const rows = Readable.from(toJsonLines(readRecords(deps.db, kind, organization.id, count, signal)))
        sums.push([`${kind}.json`, await writeWhole(join(folder, `${kind}.json`), rows, signal)])
      }
      sums.push(['schema.json', await writeJson(join(folder, 'schema.json'), createSchema(), signal)])
      sums.push(['export.json', await writeJson(join(folder, 'export.json'), toHead(organization, counts), signal)])
      await writeWhole(join(folder, sumsFile), Readable.from([toSums(sums)]), signal)
      await audit({ state: 'whole', ...counts })
      say({
        text: `${scans.objects} objects in ${scans.sums.length} folders, ${(scans.bytes / megabyte).toFixed(1)} MB`,
      })
      say({ text: `  ${scans.kept} were there already` })
      for (const kind of recordKinds) say({ text: `  ${counts[kind]} ${kind}` })
      say({ text: `Check it with: (cd ${folder} && sha256sum --quiet -c ${sumsFile})` })
    })
  })
}

const writeJson = (path: string, value: object, signal: AbortSignal): Promise<string> =>
  writeWhole(path, Readable.from([`${JSON.stringify(value, null, 2)}\n`]), signal)

const toHead = ({ id, name }: { id: string; name: string }, counts: Record<string, number>): ExportHead => ({
  format: formatName,
  version: 1,
  organizationId: id,
  organization: name,
  date: new Date().toISOString(),
  counts,
})

/** Also a deactivated one: it may take what is its own when it leaves. */
async function findOrganization(db: Db, name: string): Promise<{ id: string; name: string }> {
  const all = await db.selectFrom('organizations').select(['id', 'name']).orderBy('name').limit(1000).execute()
  const organization = all.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (organization) return organization
  throw new StartFailure(`No organization is called ${name}. Choose one of: ${all.map((one) => one.name).join(', ')}.`)
}

async function readTotals(db: Db, organizationId: string): Promise<{ objects: number; bytes: number }> {
  const totals = await db
    .selectFrom('scan_totals')
    .select(['instances', 'byte_size'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return { objects: Number(totals?.instances ?? 0), bytes: Number(totals?.byte_size ?? 0) }
}

/** A new or empty folder, or one that an export of the same organization left. */
async function prepareFolder(folder: string, { id, name }: { id: string; name: string }, bytes: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await assertOwnFolder(folder)
    const entries = await readdir(folder)
    const mark = join(folder, 'export.json')
    if (entries.length > 0) {
      const head = v.safeParse(
        v.pipe(v.string(), v.parseJson(), ExportHead),
        (await readShortFile(mark, mostHeadBytes)) ?? '',
      )
      if (!head.success || head.output.organizationId !== id)
        throw new StartFailure(`The folder ${folder} is not empty, and holds no export of ${name}. Name another one.`)
    } else await writeJson(mark, toHead({ id, name }, {}), new AbortController().signal)
    const { bavail, bsize } = await statfs(folder)
    const present = entries.includes(sumsFile) || entries.some((entry) => entry.startsWith('scans-'))
    // What an earlier try left is part of what is needed; how much of it is right is seen on the way.
    if (!present && bavail * bsize < bytes + spareBytes)
      throw new StartFailure(
        `The disk of ${folder} has ${Math.floor((bavail * bsize) / megabyte)} MB free, and the export needs ` +
          `${Math.ceil((bytes + spareBytes) / megabyte)} MB. Name a folder on a larger disk.`,
      )
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause
    throw new StartFailure(
      `The folder ${folder} cannot be written (${(cause as { code?: string }).code ?? 'unknown'}). Name one that the server may write to.`,
    )
  }
}
