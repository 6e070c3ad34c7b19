import { withoutPadding } from '@dmp/dicom/padding'
import { dimseLimits } from './limits.ts'
import { ProtocolFault } from './faults.ts'

/** The PDUs of the upper layer (PS3.8 section 9.3) as bytes. */

export const pduType = {
  associateRequest: 1,
  associateAccept: 2,
  associateReject: 3,
  data: 4,
  releaseRequest: 5,
  releaseReply: 6,
  abort: 7,
} as const

export interface ProposedContext {
  readonly id: number
  readonly abstractSyntax: string
  readonly transferSyntaxes: readonly string[]
}

/** How a context is answered (table 9-18). */
export const contextResult = { accepted: 0, noReason: 2, abstractSyntax: 3, transferSyntaxes: 4 } as const

export interface AnsweredContext {
  readonly id: number
  readonly result: number
  /** Of no meaning where the context was not accepted. */
  readonly transferSyntax: string
}

/** Which side may be user or provider of a service (PS3.7 annex D.3.3.4), as the one who asks proposes it. */
export interface RoleSelection {
  readonly abstractSyntax: string
  readonly isUser: boolean
  readonly isProvider: boolean
}

interface Proposal<Context> {
  readonly calledTitle: string
  readonly callingTitle: string
  readonly contexts: readonly Context[]
  /** The longest PDU that the sender takes; 0 for any. */
  readonly maxLength: number
  readonly roles: readonly RoleSelection[]
}

export interface AssociateRequest extends Proposal<ProposedContext> {
  readonly protocolVersion: number
  readonly applicationContext: string
}
export type AssociateAccept = Proposal<AnsweredContext>

/** One fragment of a command or of a data set. */
export interface DataValue {
  readonly contextId: number
  readonly isCommand: boolean
  readonly isLast: boolean
  readonly bytes: Buffer
}

export const dicomApplicationContext = '1.2.840.10008.3.1.1.1'
export const implementationClassUID = '2.25.131391204113917318305913160118297541'
export const implementationVersionName = 'DMP'

const item = (type: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content)
  const head = Buffer.from([type, 0, 0, 0])
  head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

export function pdu(type: number, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(6)
  head[0] = type
  head.writeUInt32BE(
    content.reduce((length, { length: more }) => length + more, 0),
    2,
  )
  return Buffer.concat([head, ...content])
}

const title = (text: string): Buffer => ascii(text.slice(0, 16).padEnd(16))

function userInformation({ roles }: Pick<Proposal<never>, 'roles'>): Buffer {
  const maxLength = Buffer.alloc(4)
  maxLength.writeUInt32BE(dimseLimits.pduBytes)
  return item(
    0x50,
    item(0x51, maxLength),
    item(0x52, ascii(implementationClassUID)),
    ...roles.map(({ abstractSyntax, isUser, isProvider }) => {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(abstractSyntax.length)
      return item(0x54, length, ascii(abstractSyntax), Buffer.from([Number(isUser), Number(isProvider)]))
    }),
    item(0x55, ascii(implementationVersionName)),
  )
}

function associate(type: number, proposal: Proposal<unknown>, contexts: readonly Buffer[]): Buffer {
  return pdu(
    type,
    Buffer.from([0, 1, 0, 0]),
    title(proposal.calledTitle),
    title(proposal.callingTitle),
    Buffer.alloc(32),
    item(0x10, ascii(dicomApplicationContext)),
    ...contexts,
    userInformation(proposal),
  )
}

export const associateRequest = (proposal: Omit<Proposal<ProposedContext>, 'maxLength'>): Buffer =>
  associate(
    pduType.associateRequest,
    { ...proposal, maxLength: dimseLimits.pduBytes },
    proposal.contexts.map(({ id, abstractSyntax, transferSyntaxes }) =>
      item(
        0x20,
        Buffer.from([id, 0, 0, 0]),
        item(0x30, ascii(abstractSyntax)),
        ...transferSyntaxes.map((uid) => item(0x40, ascii(uid))),
      ),
    ),
  )

export const associateAccept = (answer: Omit<AssociateAccept, 'maxLength'>): Buffer =>
  associate(
    pduType.associateAccept,
    { ...answer, maxLength: dimseLimits.pduBytes },
    answer.contexts.map(({ id, result, transferSyntax }) =>
      item(0x21, Buffer.from([id, 0, result, 0]), item(0x40, ascii(transferSyntax))),
    ),
  )

export const associateReject = (codes: readonly number[]): Buffer =>
  pdu(pduType.associateReject, Buffer.from([0, ...codes]))
export const releaseRequest = (): Buffer => pdu(pduType.releaseRequest, Buffer.alloc(4))
export const releaseReply = (): Buffer => pdu(pduType.releaseReply, Buffer.alloc(4))
/** By the service provider; without a reason by its user, as one does who has had enough. */
export const abort = (reason?: number): Buffer =>
  pdu(pduType.abort, Buffer.from([0, 0, reason === undefined ? 0 : 2, reason ?? 0]))

/** The head of a PDU with one fragment; its bytes follow. */
export function dataHead({ contextId, isCommand, isLast }: Omit<DataValue, 'bytes'>, length: number): Buffer {
  const head = Buffer.alloc(12)
  head[0] = pduType.data
  head.writeUInt32BE(length + 6, 2)
  head.writeUInt32BE(length + 2, 6)
  head[10] = contextId
  head[11] = Number(isCommand) | (Number(isLast) << 1)
  return head
}

interface Item {
  readonly type: number
  readonly bytes: Buffer
}

/** The items of a part of a PDU; a length that lies is a broken PDU. */
function readItems(bytes: Buffer): Item[] {
  const items: Item[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + 4 > bytes.length) throw broken('ends inside an item')
    const end = at + 4 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) throw broken('has an item that is longer than it')
    items.push({ type: bytes.readUInt8(at), bytes: bytes.subarray(at + 4, end) })
    at = end
  }
  return items
}

const broken = (how: string): ProtocolFault => new ProtocolFault('invalidParameter', `The PDU ${how}.`)
/** UIDs are padded by some, against the rule that they are not (annex F). */
const uid = (bytes: Buffer | undefined): string => withoutPadding((bytes ?? Buffer.alloc(0)).toString('latin1'))
const readTitle = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 16).trim()

function readUserInformation(items: readonly Item[]): Pick<Proposal<never>, 'maxLength' | 'roles'> {
  const about = readItems(items.find(({ type }) => type === 0x50)?.bytes ?? Buffer.alloc(0))
  const maxLength = about.find(({ type }) => type === 0x51)?.bytes
  if (maxLength && maxLength.length !== 4) throw broken('states its maximum length in another form')
  const roles = about.filter(({ type }) => type === 0x54)
  if (roles.length > dimseLimits.roles) throw broken('has too many roles')
  return {
    maxLength: maxLength?.readUInt32BE(0) ?? dimseLimits.defaultPduBytes,
    roles: roles.map(readRole),
  }
}

const longestUid = 64

function readRole({ bytes }: Item): RoleSelection {
  const length = bytes.length < 4 ? Number.NaN : bytes.readUInt16BE(0)
  if (length !== bytes.length - 4 || length > longestUid) throw broken('has a role of another length')
  return {
    abstractSyntax: uid(bytes.subarray(2, 2 + length)),
    isUser: bytes[2 + length] === 1,
    isProvider: bytes[3 + length] === 1,
  }
}

function readProposedContext({ bytes }: Item): ProposedContext {
  if (bytes.length < 4) throw broken('has a context without a number')
  const syntaxes = readItems(bytes.subarray(4))
  const transferSyntaxes = syntaxes.filter(({ type }) => type === 0x40).map((each) => uid(each.bytes))
  if (transferSyntaxes.length > dimseLimits.transferSyntaxesPerContext)
    throw broken('has a context of too many transfer syntaxes')
  const id = bytes.readUInt8(0)
  if (id % 2 === 0) throw broken('has a context with an even number')
  return { id, abstractSyntax: uid(syntaxes.find(({ type }) => type === 0x30)?.bytes), transferSyntaxes }
}

function readAnsweredContext({ bytes }: Item): AnsweredContext {
  if (bytes.length < 4) throw broken('has a context without a number')
  const syntax = readItems(bytes.subarray(4)).find(({ type }) => type === 0x40)
  return { id: bytes.readUInt8(0), result: bytes.readUInt8(2), transferSyntax: uid(syntax?.bytes) }
}

const fixedBytes = 68

function readProposal<Context extends { readonly id: number }>(
  bytes: Buffer,
  type: number,
  readContext: (item: Item) => Context,
): Proposal<Context> & { readonly items: readonly Item[] } {
  if (bytes.length < fixedBytes) throw broken('is too short')
  const items = readItems(bytes.subarray(fixedBytes))
  const contexts = items.filter((each) => each.type === type).map(readContext)
  if (contexts.length > dimseLimits.contexts) throw broken('has too many contexts')
  if (new Set(contexts.map(({ id }) => id)).size < contexts.length) throw broken('has two contexts of one number')
  return {
    items,
    calledTitle: readTitle(bytes, 4),
    callingTitle: readTitle(bytes, 20),
    contexts,
    ...readUserInformation(items),
  }
}

export function readAssociateRequest(bytes: Buffer): AssociateRequest {
  const { items, ...proposal } = readProposal(bytes, 0x20, readProposedContext)
  return {
    ...proposal,
    protocolVersion: bytes.readUInt16BE(0),
    applicationContext: uid(items.find(({ type }) => type === 0x10)?.bytes),
  }
}

export function readAssociateAccept(bytes: Buffer): AssociateAccept {
  const { items: _items, ...proposal } = readProposal(bytes, 0x21, readAnsweredContext)
  return proposal
}

/** The fragments of one P-DATA-TF. */
export function readData(bytes: Buffer): DataValue[] {
  const values: DataValue[] = []
  for (let at = 0; at < bytes.length;) {
    if (at + 6 > bytes.length) throw broken('ends inside a fragment')
    if (values.length === dimseLimits.fragmentsPerPdu) throw broken('has too many fragments')
    const length = bytes.readUInt32BE(at)
    const end = at + 4 + length
    if (length < 2 || end > bytes.length) throw broken('has a fragment of an impossible length')
    const control = bytes.readUInt8(at + 5)
    values.push({
      contextId: bytes.readUInt8(at + 4),
      isCommand: (control & 1) === 1,
      isLast: (control & 2) === 2,
      bytes: bytes.subarray(at + 6, end),
    })
    at = end
  }
  if (values.length === 0) throw broken('has no fragment')
  return values
}
