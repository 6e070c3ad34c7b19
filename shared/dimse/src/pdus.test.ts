import { ProtocolFault } from './faults.ts'
import { dimseLimits } from './limits.ts'
import {
  abort,
  associateAccept,
  associateRequest,
  dataHead,
  readAssociateAccept,
  readAssociateRequest,
  readData,
  type ProposedContext,
} from './pdus.ts'
import { readCommand, writeCommand } from './commands.ts'

const context = (id: number, more: Partial<ProposedContext> = {}): ProposedContext => ({
  id,
  abstractSyntax: '1.2.840.10008.1.1',
  transferSyntaxes: ['1.2.840.10008.1.2'],
  ...more,
})
const roles = [{ abstractSyntax: '1.2.840.10008.1.20.1', isUser: false, isProvider: true }]
/** What comes of a proposal after the head of its PDU. */
const proposal = (more: Partial<Parameters<typeof associateRequest>[0]> = {}): Buffer =>
  associateRequest({ calledTitle: 'DMP', callingTitle: 'CT', contexts: [context(1)], roles: [], ...more }).subarray(6)
const item = (type: number, ...content: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(content)
  const head = Buffer.from([type, 0, 0, 0])
  head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}
const fixed = proposal().subarray(0, 68)
const uid = Buffer.from('1.2.3')
const many = (count: number, type: number, ...content: readonly Uint8Array[]): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => item(type, ...content)))

describe('a proposal', () => {
  it('says who asks whom for what, and what it takes', () => {
    const contexts = [context(1), context(255, { transferSyntaxes: ['1.2.840.10008.1.2', '1.2.840.10008.1.2.1'] })]
    expect(readAssociateRequest(proposal({ contexts, roles }))).toEqual({
      protocolVersion: 1,
      applicationContext: '1.2.840.10008.3.1.1.1',
      calledTitle: 'DMP',
      callingTitle: 'CT',
      contexts,
      roles,
      maxLength: dimseLimits.pduBytes,
    })
    const answered = [{ id: 1, result: 0, transferSyntax: '1.2.840.10008.1.2' }]
    const accept = associateAccept({ calledTitle: 'DMP', callingTitle: 'CT', contexts: answered, roles })
    expect(readAssociateAccept(accept.subarray(6))).toMatchObject({ contexts: answered, roles })
  })

  it('that says nothing of lengths, roles and syntaxes has the usual ones, and none', () => {
    const bare = Buffer.concat([fixed, item(0x20, Buffer.from([3, 0, 0, 0])), item(0x50)])
    expect(readAssociateRequest(bare)).toMatchObject({
      applicationContext: '',
      contexts: [{ id: 3, abstractSyntax: '', transferSyntaxes: [] }],
      roles: [],
      maxLength: dimseLimits.defaultPduBytes,
    })
  })

  it('may fill its bounds', () => {
    const all = Array.from({ length: dimseLimits.contexts }, (_, at) => context(2 * at + 1))
    expect(readAssociateRequest(proposal({ contexts: all })).contexts).toHaveLength(128)
    const syntaxes = Array.from({ length: dimseLimits.transferSyntaxesPerContext }, () => '1.2.3')
    const [wide] = readAssociateRequest(proposal({ contexts: [context(1, { transferSyntaxes: syntaxes })] })).contexts
    expect(wide?.transferSyntaxes).toHaveLength(64)
    const role = Buffer.concat([Buffer.from([0, 64]), Buffer.alloc(64, '1'), Buffer.from([1, 0])])
    const user = item(0x50, many(dimseLimits.roles, 0x54, role))
    const found = readAssociateRequest(Buffer.concat([fixed, user])).roles
    expect([found.length, found[0]]).toEqual([128, { abstractSyntax: '1'.repeat(64), isUser: true, isProvider: false }])
  })

  const role = (said: number, length: number): Buffer =>
    item(0x50, item(0x54, Buffer.concat([Buffer.from([0, said]), Buffer.alloc(length, '1'), Buffer.from([0, 1])])))
  it.each<[string, Buffer, string]>([
    ['is too short by a byte', fixed.subarray(0, 67), 'is too short'],
    ['ends inside an item', Buffer.concat([fixed, Buffer.from([0x20, 0, 0])]), 'ends inside an item'],
    ['has an item that ends beyond it', Buffer.concat([fixed, item(0x10, uid).subarray(0, 8)]), 'longer than it'],
    ['has a context without a number', Buffer.concat([fixed, item(0x20, Buffer.alloc(3))]), 'without a number'],
    ['has a context with an even number', proposal({ contexts: [context(2)] }), 'an even number'],
    ['has two contexts of one number', proposal({ contexts: [context(1), context(1)] }), 'two contexts of one number'],
    [
      'has a context of too many transfer syntaxes',
      Buffer.concat([fixed, item(0x20, Buffer.from([1, 0, 0, 0]), many(65, 0x40, uid))]),
      'too many transfer syntaxes',
    ],
    ['has too many contexts', Buffer.concat([fixed, many(129, 0x20, Buffer.from([1, 0, 0, 0]))]), 'too many contexts'],
    ['has too many roles', Buffer.concat([fixed, item(0x50, many(129, 0x54, Buffer.alloc(4)))]), 'too many roles'],
    ['has a role that says less', Buffer.concat([fixed, role(4, 5)]), 'a role of another length'],
    ['has a role that says more', Buffer.concat([fixed, role(6, 5)]), 'a role of another length'],
    ['has a role of no UID', Buffer.concat([fixed, role(65, 65)]), 'a role of another length'],
    ['has a role without anything', Buffer.concat([fixed, item(0x50, item(0x54, Buffer.alloc(3)))]), 'another length'],
    [
      'states a length of two bytes',
      Buffer.concat([fixed, item(0x50, item(0x51, Buffer.alloc(2)))]),
      'in another form',
    ],
  ])('that %s is a fault of the protocol', (_what, bytes, words) => {
    expect(() => readAssociateRequest(bytes)).toThrow(ProtocolFault)
    expect(() => readAssociateRequest(bytes)).toThrow(words)
  })

  it('that is answered without the number of a context is a fault, too', () => {
    expect(() => readAssociateAccept(Buffer.concat([fixed, item(0x21, Buffer.alloc(3))]))).toThrow('without a number')
  })
})

describe('data', () => {
  const fragment = (bytes: Buffer, more: object = {}): Buffer =>
    Buffer.concat([dataHead({ contextId: 1, isCommand: false, isLast: true, ...more }, bytes.length), bytes]).subarray(
      6,
    )

  it('comes in fragments, each with what it is of', () => {
    const both = Buffer.concat([
      fragment(uid, { isCommand: true, isLast: false, contextId: 3 }),
      fragment(Buffer.alloc(0)),
    ])
    expect(readData(both)).toEqual([
      { contextId: 3, isCommand: true, isLast: false, bytes: uid },
      { contextId: 1, isCommand: false, isLast: true, bytes: Buffer.alloc(0) },
    ])
    const most = Buffer.concat(Array.from({ length: 64 }, () => fragment(uid)))
    expect(readData(most)).toHaveLength(64)
  })

  it.each<[string, Buffer, string]>([
    ['without a fragment', Buffer.alloc(0), 'has no fragment'],
    ['that end inside the head of one', fragment(uid).subarray(0, 5), 'ends inside a fragment'],
    ['that end inside one', fragment(uid).subarray(0, -1), 'an impossible length'],
    ['with one that has no room for its head', Buffer.from([0, 0, 0, 1, 1, 2]), 'an impossible length'],
    ['in too many', Buffer.concat(Array.from({ length: 65 }, () => fragment(uid))), 'too many fragments'],
  ])('%s is a fault of the protocol', (_what, bytes, words) => {
    expect(() => readData(bytes)).toThrow(words)
  })
})

describe('a command', () => {
  const whole = writeCommand({ field: 0x8001, comment: 'x' }, true)
  it.each<[string, Buffer, string]>([
    ['that ends inside the head of an element', whole.subarray(0, 19), 'ends inside an element'],
    ['that ends inside an element', whole.subarray(0, -1), 'does not belong there'],
    [
      'with an element of a data set',
      Buffer.concat([whole, Buffer.from([8, 0, 0x18, 0, 0, 0, 0, 0])]),
      'not belong there',
    ],
    ['with a number of one byte', Buffer.concat([whole, Buffer.from([0, 0, 0, 9, 1, 0, 0, 0, 7])]), 'without a value'],
    ['of nothing', Buffer.alloc(0), 'does not say what it commands'],
    [
      'that does not say whether data follow',
      Buffer.from([0, 0, 0, 1, 2, 0, 0, 0, 1, 0]),
      'does not say what it commands',
    ],
  ])('%s is a fault of the protocol', (_what, bytes, words) => {
    expect(() => readCommand(bytes)).toThrow(words)
  })

  it.each([true, false])('says whether a data set follows: %p', (hasDataSet) => {
    expect(readCommand(writeCommand({ field: 0x8001 }, hasDataSet))).toEqual({ command: { field: 0x8001 }, hasDataSet })
  })
})

it('an end is that of a user, or of the provider with its reason', () => {
  expect([[...abort()].slice(-2), [...abort(6)].slice(-2)]).toEqual([
    [0, 0],
    [2, 6],
  ])
})
