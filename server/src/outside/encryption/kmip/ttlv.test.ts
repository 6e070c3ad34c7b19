import { randomBytes, randomInt } from 'node:crypto'
import { createRequest, mostAnswerBytes, readAnswer, tag } from './kmipMessage.ts'
import * as ttlv from './ttlv.ts'

const hex = (words: string): Buffer => Buffer.from(words.replaceAll(/[\s|]/g, ''), 'hex')

/** KMIP 1.4, section 9.1.2: Examples of encoding. */
it.each([
  ['an integer', ttlv.integer(0x420020, 8), '42 00 20 | 02 | 00 00 00 04 | 00 00 00 08 00 00 00 00'],
  ['an enumeration', ttlv.enumeration(0x420020, 255), '42 00 20 | 05 | 00 00 00 04 | 00 00 00 FF 00 00 00 00'],
  ['a Boolean', ttlv.flag(0x420020, true), '42 00 20 | 06 | 00 00 00 08 | 00 00 00 00 00 00 00 01'],
  [
    'text',
    ttlv.text(0x420020, 'Hello World'),
    '42 00 20 | 07 | 00 00 00 0B | 48 65 6C 6C 6F 20 57 6F 72 6C 64 00 00 00 00 00',
  ],
  ['bytes', ttlv.bytes(0x420020, Buffer.of(1, 2, 3)), '42 00 20 | 08 | 00 00 00 03 | 01 02 03 00 00 00 00 00'],
  [
    'a structure',
    ttlv.structure(0x420020, ttlv.enumeration(0x420004, 254), ttlv.integer(0x420005, 255)),
    '42 00 20 | 01 | 00 00 00 20 | 42 00 04 | 05 | 00 00 00 04 | 00 00 00 FE 00 00 00 00 | 42 00 05 | 02 | 00 00 00 04 | 00 00 00 FF 00 00 00 00',
  ],
])('writes %s as the standard shows it', (_name, written, expected) => {
  expect(written.toString('hex')).toBe(hex(expected).toString('hex'))
})

it('reads what it writes', () => {
  const item = ttlv.decode(
    ttlv.structure(
      tag.responsePayload,
      ttlv.text(tag.uniqueIdentifier, 'Schlüssel'),
      ttlv.bytes(tag.data, Buffer.from('abc')),
      ttlv.integer(tag.batchCount, -3),
      ttlv.enumeration(tag.operation, 31),
      ttlv.enumeration(tag.operation, 32),
    ),
  )
  expect([
    ttlv.textIn(item, tag.uniqueIdentifier),
    ttlv.bytesOf(item, tag.data).toString(),
    ttlv.numberOf(item, tag.batchCount),
    ttlv.numbersOf(item, tag.operation),
    ttlv.bytesIn(item, tag.iv),
  ]).toEqual(['Schlüssel', 'abc', -3, [31, 32], undefined])
  expect(() => ttlv.numberOf(item, tag.data)).toThrow(/the item 4200c2 has another type/)
  expect(() => ttlv.bytesOf(item, tag.iv)).toThrow(/the item 42003d is missing/)
})

const nested = (depth: number): Buffer =>
  depth === 0 ? Buffer.alloc(0) : ttlv.structure(tag.responsePayload, nested(depth - 1))

it.each([
  ['nothing', Buffer.alloc(0), 'it is not one item'],
  ['two items', Buffer.concat([ttlv.integer(1, 1), ttlv.integer(1, 1)]), 'it is not one item'],
  ['half a header', hex('42 00 20 02'), 'ends inside the header'],
  ['a length beyond its end', hex('42 00 20 | 08 | FF FF FF FF | 00'), 'is longer than what holds it'],
  ['padding that is not there', hex('42 00 20 | 08 | 00 00 00 01 | 00'), 'is longer than what holds it'],
  ['an unknown type', hex('42 00 20 | 0B | 00 00 00 00'), 'the type 11 is not known'],
  ['an integer of 8 bytes', hex('42 00 20 | 02 | 00 00 00 08 | 00 00 00 00 00 00 00 00'), 'type 2 has 8 bytes'],
  ['an item longer than its structure', hex('42 00 20 | 01 | 00 00 00 08 | 42 00 04 02 00 00 00 04'), 'longer than'],
  ['33 structures in each other', nested(33), 'nested deeper than 32'],
  ['120,000 structures in each other', deep(120_000), 'nested deeper than 32'],
])('refuses %s', (_name, given, sentence) => {
  expect(() => ttlv.decode(given)).toThrow(ttlv.TtlvError)
  expect(() => ttlv.decode(given)).toThrow(sentence)
})

/** Each length holds all that follows. */
function deep(depth: number): Buffer {
  const bytes = Buffer.alloc(depth * 8)
  for (let at = 0; at < bytes.length; at += 8) {
    bytes.writeUInt32BE(0x4200_7c01, at)
    bytes.writeUInt32BE(bytes.length - at - 8, at + 4)
  }
  return bytes
}

it('holds 32 structures in each other', () => {
  expect(ttlv.decode(nested(32)).tag).toBe(tag.responsePayload)
})

it('believes no length beyond the limit, before it has read so much', () => {
  const header = (words: string) => () => ttlv.messageBytes(hex(words), tag.responseMessage, mostAnswerBytes)
  expect(header('42 00 7B 01 00 00 00 10')()).toBe(24)
  expect(header('42 00 7B 01 00 0F FF F8')()).toBe(2 ** 20)
  expect(header('42 00 7B 01 00 0F FF F9')).toThrow(/announces 1048577 bytes/)
  expect(header('42 00 7B 01 FF FF FF FF')).toThrow(/announces 4294967303 bytes/)
  expect(header('48 54 54 50 2F 31 2E 31')).toThrow('does not begin like a message')
})

it('survives an answer that was changed anywhere: it reads it or says that it cannot', () => {
  const header = ttlv.structure(tag.responseHeader, ttlv.integer(tag.batchCount, 1))
  const payload = ttlv.structure(tag.responsePayload, ttlv.bytes(tag.data, randomBytes(48)))
  const item = [ttlv.enumeration(tag.operation, 31), ttlv.enumeration(tag.resultStatus, 0), payload]
  const answer = ttlv.structure(tag.responseMessage, header, ttlv.structure(tag.batchItem, ...item))
  expect(ttlv.bytesOf(readAnswer('Encrypt', answer), tag.data)).toHaveLength(48)
  expect(() => readAnswer('Decrypt', answer)).toThrow('it answers something else')
  for (let round = 0; round < 20_000; round += 1) {
    const changed = Buffer.from(answer)
    const [at, value] = [randomInt(changed.length), randomInt(256)]
    changed[at] = value
    const cut = changed.subarray(0, randomInt(4) === 0 ? randomInt(changed.length + 1) : changed.length)
    try {
      readAnswer('Encrypt', cut)
    } catch (cause) {
      // A refusal needs a version to say so; this answer has none, and so every failure is one of the codec.
      if (!(cause instanceof ttlv.TtlvError)) throw new Error(`byte ${at} = ${value}`, { cause })
    }
  }
})

it('asks in version 1.4 for no answer larger than it reads', () => {
  const header = ttlv.structureOf(ttlv.decode(createRequest('Query')), tag.requestHeader)
  const { protocolVersion, protocolVersionMajor, protocolVersionMinor, maximumResponseSize } = tag
  const version = ttlv.structureOf(header, protocolVersion)
  expect([protocolVersionMajor, protocolVersionMinor].map((part) => ttlv.numberOf(version, part))).toEqual([1, 4])
  expect(ttlv.numberOf(header, maximumResponseSize)).toBe(mostAnswerBytes)
})
