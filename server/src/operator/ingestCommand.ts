import { join } from 'node:path'
import * as v from 'valibot'
import { inTurnOf } from '../core/asker.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Db } from '../db/client.ts'
import { ingestFolder, listFiles, type IngestSummary } from '../modules/scan/intake/ingestFolder.ts'
import type { IntakeDependencies } from '../modules/scan/intake/intake.ts'
import { maxUploadBytes, type Settings } from '../settings/settings.ts'
import type { RefusalReason } from '../dicom/refusal.ts'
import type { Say } from './operatorCommands.ts'

export const IngestInput = v.strictObject({ folder: v.string(), organization: v.optional(v.string()) })

const megabyte = 2 ** 20

/** One caller among the customers whose people use the server meanwhile. */
export const operatorTurn = { customer: 'operator', person: 'operator' } as const

export const operatorContext = (command: string) => ({ request: { id: command, ip: 'this machine' } }) as const

type IngestDependencies = Omit<IntakeDependencies, 'settings' | 'penalties' | 'arrivals'> & {
  readonly settings: Settings
}

/** Reads a folder of this machine into an organization. What is stored is passed over: given again it goes on. */
export async function ingestCommand(
  { db, write, objects, encryption, reader, settings, bus }: IngestDependencies,
  input: unknown,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const { folder, organization: name } = v.parse(IngestInput, input)
  await listFiles(folder).catch((cause: unknown) => {
    throw new StartFailure(
      `The folder ${folder} cannot be read (${(cause as { code?: string }).code ?? 'unknown'}). Name a folder that exists and is readable.`,
    )
  })
  const organization = await findStore(db, name)
  say({ text: `Reading ${folder} into ${organization.name}` })
  const began = performance.now()
  const summary = await inTurnOf(operatorTurn, () =>
    ingestFolder(
      { db, write, objects, encryption, reader, settings, ...(bus && { bus }) },
      { organizationId: organization.id, source: 'Ingest', context: operatorContext('ingest') },
      folder,
      maxUploadBytes(settings),
      ({ files, bytes }, total) => say({ progress: { done: files, total, bytes } }),
      signal,
    ),
  )
  for (const text of toSentences(summary, (performance.now() - began) / 1000)) say({ text })
  refuseIncomplete(summary)
}

/** What is found beside images in any folder. */
const noImages: ReadonlySet<string> = new Set<RefusalReason>(['NOT_DICOM', 'DICOMDIR'])

/** A script goes by the exit code: it must not take a folder for taken in while images of it are missing. */
function refuseIncomplete({ refused }: IngestSummary): void {
  const count = [...refused].reduce((sum, [reason, one]) => sum + (noImages.has(reason) ? 0 : one.count), 0)
  if (count > 0)
    throw new StartFailure(
      `${count === 1 ? 'One image was' : `${count} images were`} refused, for the reasons above. All others are stored.`,
    )
}

/** An activated organization with a datastore: the named one, or the only one. */
export async function findStore(db: Db, name: string | undefined): Promise<{ id: string; name: string }> {
  const stores = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('datastore_id', 'is not', null)
    .where('status', '=', 'Activated')
    .orderBy('created_date')
    .orderBy('name')
    .execute()
  const names = stores.map((store) => store.name).join(', ')
  if (name === undefined && stores.length > 1)
    throw new StartFailure(`Name the organization with --organization "…", one of: ${names}.`)
  const organization =
    name === undefined ? stores[0] : stores.find((store) => store.name.toLowerCase() === name.toLowerCase())
  if (organization) return organization
  throw new StartFailure(
    names
      ? `No activated organization with a datastore is called ${name}. Choose one of: ${names}.`
      : 'There is no activated organization with a datastore yet. Start the server once (npm start), or create one in the product.',
  )
}

export function toSentences(
  { files, bytes, stored, duplicates, refused, series }: IngestSummary,
  seconds: number,
): string[] {
  const lines = [
    `${files} files, ${(bytes / megabyte).toFixed(1)} MB in ${seconds.toFixed(1)} s`,
    `  ${stored} stored, in ${series.size} series`,
    `  ${duplicates} were already stored`,
  ]
  const count = [...refused.values()].reduce((sum, refusal) => sum + refusal.count, 0)
  lines.push(`  ${count} refused`)
  for (const [reason, refusal] of refused)
    lines.push(
      `    ${refusal.count} × ${reason}: ${refusal.sentence}`,
      ...refusal.examples.map((path) => `        ${join('.', path)}`),
    )
  return lines
}
