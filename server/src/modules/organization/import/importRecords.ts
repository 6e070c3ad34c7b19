import { sql } from 'kysely'
import * as v from 'valibot'
import type { Write, WriteContext } from '../../../db/write.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { parseJson } from '../../../http/json.ts'
import { mostRowChars, recordFiles, type ExportHead, type Person, type RecordKind } from '../export/exportFormat.ts'
import { importSentences } from './importSentences.ts'
import { readShortLines } from './shortLines.ts'

export interface Store {
  readonly id: string
  readonly name: string
}

export interface ImportedCounts {
  added: number
  present: number
  readonly refused: Map<string, string>
}

/** Of one transaction. */
type Taken = Pick<ImportedCounts, 'added' | 'present'>

interface RecordSource {
  readonly kind: RecordKind
  readonly head: ExportHead
  /** The text of the file. */
  readonly lines: AsyncIterable<string>
  readonly context: WriteContext
  /** Of an import that an administrator asks for. */
  readonly importId?: string
  readonly bounds?: RecordBounds
}

/** What an archive may bring at most; without bounds as much as there is. `chars` grow less with each row. */
export interface RecordBounds {
  readonly people: number
  chars: number
}

/** Rows of a transaction, each of which is recorded. */
const batchSize = 200
/** And so much text, unless a row alone has more. */
const batchChars = 4 * 2 ** 20
/** Those of a customer: whatever a file says, nobody of the provider comes of it. */
const customerRoles: ReadonlySet<string> = new Set(['admin', 'staff', 'service_user'])
const mostRefused = 1000

/**
 * People come deactivated, without a password and with a role of a customer: an administrator of the organization
 * activates whom they want. Everything else comes as a record of elsewhere: links open nothing, complaints move
 * nothing, and audit events never become part of the chain.
 */
export async function importRecords(
  { write }: Pick<Dependencies, 'write'>,
  store: Store,
  { kind, head, lines, context, importId, bounds }: RecordSource,
  signal: AbortSignal,
): Promise<ImportedCounts> {
  const counts: ImportedCounts = { added: 0, present: 0, refused: new Map() }
  let batch: object[] = []
  let chars = 0
  const flush = async (): Promise<void> => {
    signal.throwIfAborted()
    if (batch.length === 0) return
    const rows = batch
    batch = []
    chars = 0
    const taken = await write(context, async (change) => {
      const added =
        kind === 'people'
          ? await addPeople(change, store, head, rows, counts)
          : await addRecords(change, store, { kind, head, rows })
      await change.audit({
        event: 'OrganizationImported',
        organizationId: store.id,
        subject: {
          state: 'under way',
          kind,
          from: head.organizationId,
          ...(importId !== undefined && { importId }),
          ...added,
        },
        isNews: false,
      })
      return added
    })
    counts.added += taken.added
    counts.present += taken.present
  }
  let line = 0
  let rows = 0
  for await (const text of readShortLines(lines, mostRowChars)) {
    line += 1
    // Rows that are refused reach no transaction.
    signal.throwIfAborted()
    const json = text?.replace(/,\r?$/, '').trim()
    if (json !== undefined && ['', '[', ']', '[]'].includes(json)) continue
    const row = json === undefined ? undefined : readRow(kind, json)
    const size = json?.length ?? 0
    if (!row) refuse(counts, `line ${line}`, importSentences.otherSchema)
    else if (!hasRoom(bounds, kind, (rows += 1), size)) refuse(counts, `line ${line}`, importSentences.tooMany)
    else {
      batch.push(row)
      chars += size
    }
    if (batch.length >= batchSize || chars >= batchChars) await flush()
  }
  await flush()
  return counts
}

/** Within the bounds of any JSON that people send: a file may have been made to hold the server up. */
function readRow(kind: RecordKind, json: string): object | undefined {
  try {
    const row = v.safeParse(recordFiles[kind] as v.GenericSchema<unknown, object>, parseJson(json))
    return row.success && isStorable(row.output) ? row.output : undefined
  } catch {
    return undefined
  }
}

/** The database keeps neither a NUL nor half a character, and would refuse the rows beside it as well. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, each]) => isStorable(name) && isStorable(each))
}

function hasRoom(bounds: RecordBounds | undefined, kind: RecordKind, rows: number, size: number): boolean {
  if (!bounds) return true
  // People are looked up one by one, and nobody is to find out by thousands who has an account elsewhere.
  if (kind === 'people') return rows <= bounds.people
  if (size > bounds.chars) return false
  bounds.chars -= size
  return true
}

function refuse({ refused }: Pick<ImportedCounts, 'refused'>, what: string, why: string): void {
  if (refused.size < mostRefused) refused.set(what, why)
}

async function addPeople(
  { trx }: Write,
  store: Store,
  head: ExportHead,
  rows: readonly object[],
  counts: Pick<ImportedCounts, 'refused'>,
): Promise<Taken> {
  const taken = { added: 0, present: 0 }
  for (const row of rows) {
    const { email, civility, firstName, lastName, mobile, landline, fax, role } = row as v.InferOutput<typeof Person>
    const known = await trx
      .selectFrom('users')
      .select('organization_id')
      .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email}::text)`)
      .executeTakeFirst()
    if (known?.organization_id === store.id) taken.present += 1
    else if (known) refuse(counts, email, 'This email is already in use.')
    else if (!customerRoles.has(role)) refuse(counts, email, importSentences.ofProvider)
    else {
      await trx
        .insertInto('users')
        .values({
          organization_id: store.id,
          email,
          civility,
          first_name: firstName,
          last_name: lastName,
          mobile,
          landline,
          fax,
          role: role as 'admin' | 'staff' | 'service_user',
          password_hash: null,
          temporary_until: null,
          status: 'Deactivated',
          status_by: 'Import',
          status_comment: `Imported from ${head.organization}`,
        })
        .execute()
      taken.added += 1
    }
  }
  return taken
}

async function addRecords(
  { trx }: Write,
  store: Store,
  { kind, head, rows }: { readonly kind: RecordKind; readonly head: ExportHead; readonly rows: readonly object[] },
): Promise<Taken> {
  const values = rows.map((row) => {
    // What had been imported there keeps saying where it is from.
    if (kind === 'imported') {
      const { id, kind: ownKind, content } = row as { id: string; kind: string; content: object }
      return { organization_id: store.id, kind: ownKind, source_id: id, content: JSON.stringify(content) }
    }
    const { id } = row as { id: string }
    return { organization_id: store.id, kind, source_id: `${head.organizationId}/${id}`, content: JSON.stringify(row) }
  })
  const added = await trx
    .insertInto('imported_records')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('source_id')
    .execute()
  return { added: added.length, present: rows.length - added.length }
}
