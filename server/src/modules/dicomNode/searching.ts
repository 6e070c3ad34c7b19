import { findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import { commandField, OperationRefused, responseBit, status, type Association, type Message } from '@dmp/dimse'
import type { FairTurns } from '../../core/fairTurns.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import type { Reading } from '../../db/replicas.ts'
import type { Dependencies } from '../../dependencies.ts'
import { writeSearchRows } from '../dicomweb/headerPages.ts'
import { finders } from '../dicomweb/qido.ts'
import { toConditions } from '../dicomweb/qidoQuery.ts'
import type { QueryLevel } from '../dicomweb/queryKeys.ts'
import type { ReadScope } from '../dicomweb/scope.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import {
  keepPatientKeys,
  keepPatientRow,
  readIdentifier,
  readLevel,
  toAnswer,
  toPatientKey,
  toQuery,
} from './identifier.ts'
import { assertMay, openScope, spendOperations, type Peer } from './peer.ts'

export interface Searching {
  readonly deps: Dependencies
  readonly recordAccess: RecordAccess
  /** One search at a time of each partner. */
  readonly searches: FairTurns
}

/** Rows that are read at a time, or fewer where their text is longer: it is parsed by the answering thread. */
const pageRows = 100
const pageBytes = 2 ** 20
/** One answer in memory; keys that ask for more are those of nothing that is searched for. */
const rowBytes = 4 * 2 ** 20
/** A partner that asks for everything gets this many, and is told that there are more. */
const mostRows = 20_000

/** C-FIND (PS3.4 section C.4.1): the search of QIDO-RS, answered row by row. */
export async function answerFind(
  { deps, recordAccess, searches }: Searching,
  peer: Peer,
  association: Association,
  message: Message,
): Promise<void> {
  const { context, command } = message
  assertMay(peer, 'Query')
  await spendOperations(deps, peer, 1)
  const identifier = await readIdentifier(message)
  const { name, level } = readLevel(identifier, context.abstractSyntax)
  const isOfPatients = name === 'PATIENT'
  const asked = isOfPatients ? keepPatientKeys(identifier) : identifier
  const patients = new Set<string>()
  const scope = await openScope(deps, peer)
  const query = toQuery(asked, { limit: 0, offset: 0 })
  // What is refused leaves no record, of which a caller would choose the length.
  toConditions(query, level, scope)
  await recordAccess(peer.context, {
    event: 'ScansQueried',
    organizationId: scope.store.organizationId,
    subject: { level, keys: [...query.keys.keys()] },
  })
  const answer = {
    field: commandField.findRequest | responseBit,
    respondedTo: command.messageId,
    sopClassUID: context.abstractSyntax,
  }
  const turn = { customer: scope.turn.customer, person: scope.reader }
  const encoding = findTransferSyntax(context.transferSyntax)
  if (!encoding) throw new OperationRefused(status.noSuchClass, 'The context has no transfer syntax of searches.')
  let limit = pageRows
  for (let offset = 0; offset < mostRows; offset += limit) {
    // As many pages of a search by HTTP are as many calls.
    if (offset > 0) await spendOperations(deps, peer, 1)
    const page = await takePage(limit, (most) =>
      searches.run(turn, () => findPage(deps, scope, level, { ...query, limit: most, offset })),
    )
    limit = page.limit
    for (const row of page.rows) {
      if (await association.isCancelled(command.messageId ?? 0))
        return association.send(context, { ...answer, status: status.cancelled })
      const found = isOfPatients ? keepPatient(row, patients) : row
      if (!found) continue
      const dataset = writeDataset(toAnswer(identifier, found, name, peer.calledTitle), encoding)
      await association.send(context, { ...answer, status: status.pending }, dataset)
    }
    if (page.rows.length < limit) return association.send(context, { ...answer, status: status.success })
  }
  throw new OperationRefused(status.outOfResources, `There are more than ${mostRows} matches. Search for fewer.`)
}

/** As many rows as fit into the memory of a page, and how many that could have been. */
async function takePage(
  most: number,
  find: (limit: number) => Promise<JsonDataset[] | undefined>,
): Promise<{ readonly rows: JsonDataset[]; readonly limit: number }> {
  for (let limit = most; ; limit = Math.ceil(limit / 10)) {
    const rows = await find(limit)
    if (rows) return { rows, limit }
    if (limit === 1)
      throw new OperationRefused(status.outOfResources, 'An answer is too long. Ask for fewer attributes.')
  }
}

/** What is of the patient in a row of a study; undefined for one who was answered already. */
function keepPatient(row: JsonDataset, patients: Set<string>): JsonDataset | undefined {
  const key = toPatientKey(row)
  if (patients.has(key)) return undefined
  patients.add(key)
  return keepPatientRow(row)
}

/** Undefined where so many rows are too long for the memory of one page. */
async function findPage(
  deps: Dependencies,
  scope: ReadScope,
  level: QueryLevel,
  query: ReturnType<typeof toQuery>,
): Promise<JsonDataset[] | undefined> {
  const reservation = await deps.memory.reserve(scope.turn, readingLimits.headersBytes)
  try {
    const result = await finders[level](deps.db, scope, {}, query)
    const pieces: Uint8Array[] = []
    // A device asks for what another one has just sent.
    const reading: Reading = (read) => read(deps.db)
    const text = writeSearchRows({ ...deps, reading }, scope.store.organizationId, scope.turn, result, reservation)
    let bytes = 0
    for await (const piece of text) {
      bytes += piece.length
      if (bytes > (query.limit > 1 ? pageBytes : rowBytes)) return undefined
      pieces.push(piece)
    }
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonDataset[]
  } finally {
    reservation.release()
  }
}
