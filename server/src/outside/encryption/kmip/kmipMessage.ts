import * as ttlv from './ttlv.ts'

/** Tags of KMIP 1.4, section 9.1.3.1; of them what this client says and reads. */
export const tag = {
  attribute: 0x420008,
  attributeName: 0x42000a,
  attributeValue: 0x42000b,
  batchCount: 0x42000d,
  batchItem: 0x42000f,
  blockCipherMode: 0x420011,
  cryptographicAlgorithm: 0x420028,
  cryptographicParameters: 0x42002b,
  iv: 0x42003d,
  maximumResponseSize: 0x420050,
  operation: 0x42005c,
  protocolVersion: 0x420069,
  protocolVersionMajor: 0x42006a,
  protocolVersionMinor: 0x42006b,
  queryFunction: 0x420074,
  requestHeader: 0x420077,
  requestMessage: 0x420078,
  requestPayload: 0x420079,
  responseHeader: 0x42007a,
  responseMessage: 0x42007b,
  responsePayload: 0x42007c,
  resultReason: 0x42007e,
  resultStatus: 0x42007f,
  uniqueIdentifier: 0x420094,
  data: 0x4200c2,
  randomIv: 0x4200c5,
  ivLength: 0x4200cd,
  tagLength: 0x4200ce,
  additionalData: 0x4200fe,
  authenticationTag: 0x4200ff,
} as const

export const operation = {
  'Get Attributes': 0x0b,
  Query: 0x18,
  'Discover Versions': 0x1e,
  Encrypt: 0x1f,
  Decrypt: 0x20,
} as const
export type Operation = keyof typeof operation

export const reason = { itemNotFound: 1, notAuthenticated: 3, permissionDenied: 0x0c, objectNotFound: 0x37 } as const
const reasonNames: Readonly<Record<number, string>> = {
  1: 'Item Not Found',
  2: 'Response Too Large',
  3: 'Authentication Not Successful',
  4: 'Invalid Message',
  5: 'Operation Not Supported',
  6: 'Missing Data',
  7: 'Invalid Field',
  8: 'Feature Not Supported',
  0x0a: 'Cryptographic Failure',
  0x0b: 'Illegal Operation',
  0x0c: 'Permission Denied',
  0x0d: 'Object Archived',
  0x100: 'General Failure',
}

/** The first version with authenticated encryption whose additional data and tag have items of their own. */
export const version = { major: 1, minor: 4 } as const
/** An answer holds a wrapped key or a list of operations; one with more is none of ours. */
export const mostAnswerBytes = 2 ** 20

/** The service understood and said no. Its own words are left out: they may repeat what was sent. */
export class KmipRefusal extends Error {
  readonly reason: number
  /** The version that it answers with; another one is that which it knows. */
  readonly version: string

  constructor(number: number, answered: string) {
    super(reasonNames[number] ?? `reason ${number}`)
    this.reason = number
    this.version = answered
  }
}

export const toVersion = (item: ttlv.Item): string =>
  `${ttlv.numberOf(item, tag.protocolVersionMajor)}.${ttlv.numberOf(item, tag.protocolVersionMinor)}`

export function createRequest(name: Operation, ...payload: readonly Buffer[]): Buffer {
  const header = ttlv.structure(
    tag.requestHeader,
    ttlv.structure(
      tag.protocolVersion,
      ttlv.integer(tag.protocolVersionMajor, version.major),
      ttlv.integer(tag.protocolVersionMinor, version.minor),
    ),
    ttlv.integer(tag.maximumResponseSize, mostAnswerBytes),
    ttlv.integer(tag.batchCount, 1),
  )
  const item = ttlv.structure(
    tag.batchItem,
    ttlv.enumeration(tag.operation, operation[name]),
    ttlv.structure(tag.requestPayload, ...payload),
  )
  return ttlv.structure(tag.requestMessage, header, item)
}

/** The payload of the answer to this operation. */
export function readAnswer(name: Operation, answer: Buffer): ttlv.Item {
  const message = ttlv.decode(answer)
  const header = ttlv.structureOf(message, tag.responseHeader)
  const item = ttlv.structureOf(message, tag.batchItem)
  if (ttlv.numberOf(item, tag.resultStatus) !== 0)
    throw new KmipRefusal(
      ttlv.numberIn(item, tag.resultReason) ?? 0,
      toVersion(ttlv.structureOf(header, tag.protocolVersion)),
    )
  if (ttlv.numberIn(item, tag.operation) !== operation[name]) throw new ttlv.TtlvError('it answers something else')
  return ttlv.structureOf(item, tag.responsePayload)
}
