import { toComment } from '@dmp/dicom'
import { withoutPadding } from '@dmp/dicom/padding'
import { ProtocolFault } from './faults.ts'

/** Command sets (PS3.7 section 6.3): implicit little endian, group 0000. */

export const commandField = {
  storeRequest: 0x0001,
  getRequest: 0x0010,
  findRequest: 0x0020,
  moveRequest: 0x0021,
  echoRequest: 0x0030,
  eventRequest: 0x0100,
  actionRequest: 0x0130,
  cancelRequest: 0x0fff,
} as const
/** Of a response: that of its request, and this bit. */
export const responseBit = 0x8000

const noDataSet = 0x0101
const withDataSet = 0x0001

/** Elements of a command by number, with their value representation. */
const elements = {
  sopClassUID: [0x0002, 'UI'],
  requestedSopClassUID: [0x0003, 'UI'],
  field: [0x0100, 'US'],
  messageId: [0x0110, 'US'],
  respondedTo: [0x0120, 'US'],
  moveDestination: [0x0600, 'AE'],
  priority: [0x0700, 'US'],
  dataSetType: [0x0800, 'US'],
  status: [0x0900, 'US'],
  comment: [0x0902, 'LO'],
  sopInstanceUID: [0x1000, 'UI'],
  requestedSopInstanceUID: [0x1001, 'UI'],
  eventType: [0x1002, 'US'],
  actionType: [0x1008, 'US'],
  remaining: [0x1020, 'US'],
  completed: [0x1021, 'US'],
  failed: [0x1022, 'US'],
  warnings: [0x1023, 'US'],
  originatorTitle: [0x1030, 'AE'],
  originatorMessageId: [0x1031, 'US'],
} as const satisfies Readonly<Record<string, readonly [number, 'UI' | 'US' | 'AE' | 'LO']>>

type Elements = typeof elements
type ValueOf<Vr> = Vr extends 'US' ? number : string
/** A command, without the elements that say how long it is and whether a data set follows. */
export type Command = { readonly field: number } & {
  readonly [Name in Exclude<keyof Elements, 'field' | 'dataSetType'>]?: ValueOf<Elements[Name][1]> | undefined
}

function valueBytes(vr: string, value: string | number): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16LE(value)
    return bytes
  }
  // ASCII alone: a command declares no characters.
  const text = (vr === 'LO' ? toComment(value) : value).replaceAll(/[^ -~]|\\/g, '?')
  return Buffer.from(text.length % 2 === 0 ? text : text + (vr === 'UI' ? '\0' : ' '), 'latin1')
}

function element(number: number, value: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt16LE(number, 2)
  head.writeUInt32LE(value.length, 4)
  return Buffer.concat([head, value])
}

export function writeCommand(command: Command, hasDataSet: boolean): Buffer {
  const all = { ...command, dataSetType: hasDataSet ? withDataSet : noDataSet }
  const written = (Object.entries(elements) as [keyof Elements, Elements[keyof Elements]][]).flatMap(
    ([name, [number, vr]]) => {
      const value = all[name]
      return value === undefined ? [] : [{ number, bytes: element(number, valueBytes(vr, value)) }]
    },
  )
  const bytes = Buffer.concat(written.sort((a, b) => a.number - b.number).map((each) => each.bytes))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([element(0, length), bytes])
}

const broken = (how: string): ProtocolFault => new ProtocolFault('notSpecified', `The command set ${how}.`)

/** The command, and whether a data set follows. Elements that nobody reads are left out. */
export function readCommand(bytes: Buffer): { readonly command: Command; readonly hasDataSet: boolean } {
  const values = new Map<number, Buffer>()
  for (let at = 0; at < bytes.length;) {
    if (at + 8 > bytes.length) throw broken('ends inside an element')
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    if (bytes.readUInt16LE(at) !== 0 || end > bytes.length) throw broken('has an element that does not belong there')
    values.set(bytes.readUInt16LE(at + 2), bytes.subarray(at + 8, end))
    at = end
  }
  const read = Object.fromEntries(
    Object.entries(elements).flatMap(([name, [number, vr]]): [string, string | number][] => {
      const value = values.get(number)
      if (value === undefined) return []
      if (vr !== 'US') return [[name, withoutPadding(value.toString('latin1'))]]
      if (value.length < 2) throw broken('has a number without a value')
      return [[name, value.readUInt16LE(0)]]
    }),
  ) as Partial<Command> & { readonly dataSetType?: number }
  const { field, dataSetType, ...rest } = read
  if (field === undefined || dataSetType === undefined) throw broken('does not say what it commands')
  return { command: { field, ...rest }, hasDataSet: dataSetType !== noDataSet }
}
