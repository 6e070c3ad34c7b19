import type { FairTurns } from '../../core/fairTurns.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { findTransferSyntax } from '../../dicom/transferSyntaxes.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Association, Message } from '../../outside/dimse/association.ts'
import { commandField, responseBit } from '../../outside/dimse/commands.ts'
import { writeSearchRows } from '../dicomweb/headerPages.ts'
import { finders } from '../dicomweb/qido.ts'
import type { QueryLevel } from '../dicomweb/queryKeys.ts'
import type { ReadScope } from '../dicomweb/scope.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { readIdentifier, readLevel, toAnswer, toQuery } from './identifier.ts'
import { assertMay, openScope, type Peer } from './peer.ts'
import { OperationRefused, status } from './statuses.ts'

export interface Searching {
  readonly deps: Dependencies
  readonly recordAccess: RecordAccess
  /** One search at a time of each partner. */
  readonly searches: FairTurns
}

/** Rows that are read at a time; the text of that many is in memory. */
const pageRows = 100
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
  const identifier = await readIdentifier(message)
  assertMay(peer, 'Query')
  const { name, level } = readLevel(identifier)
  const scope = await openScope(deps, peer)
  const { keys } = toQuery(identifier, { limit: 0, offset: 0 })
  await recordAccess(peer.context, {
    event: 'ScansQueried',
    organizationId: scope.store.organizationId,
    subject: { level, keys: [...keys.keys()] },
  })
  const answer = {
    field: commandField.findRequest | responseBit,
    respondedTo: command.messageId,
    sopClassUID: context.abstractSyntax,
  }
  const encoding = findTransferSyntax(context.transferSyntax)
  if (!encoding) throw new OperationRefused(status.noSuchClass, 'The context has no transfer syntax of searches.')
  for (let offset = 0; offset < mostRows; offset += pageRows) {
    const query = toQuery(identifier, { limit: pageRows, offset })
    const rows = await searches.run({ customer: scope.turn.customer, person: scope.reader }, () =>
      findPage(deps, scope, level, query),
    )
    for (const row of rows) {
      if (await association.isCancelled(command.messageId ?? 0))
        return association.send(context, { ...answer, status: status.cancelled })
      const dataset = writeDataset(toAnswer(identifier, row, name, peer.calledTitle), encoding)
      await association.send(context, { ...answer, status: status.pending }, dataset)
    }
    if (rows.length < pageRows) return association.send(context, { ...answer, status: status.success })
  }
  throw new OperationRefused(status.outOfResources, `There are more than ${mostRows} matches. Search for fewer.`)
}

async function findPage(
  deps: Dependencies,
  scope: ReadScope,
  level: QueryLevel,
  query: ReturnType<typeof toQuery>,
): Promise<JsonDataset[]> {
  const reservation = await deps.memory.reserve(scope.turn, readingLimits.headersBytes)
  try {
    const result = await finders[level](deps, scope, {}, query)
    const pieces: Uint8Array[] = []
    const text = writeSearchRows(deps, scope.store.organizationId, scope.turn, result, reservation)
    for await (const piece of text) pieces.push(piece)
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as JsonDataset[]
  } finally {
    reservation.release()
  }
}
