/** Why a line is given up: reasons of the service provider in an A-ABORT (PS3.8 section 9.3.8). */
export const abortReason = {
  notSpecified: 0,
  unrecognizedPdu: 1,
  unexpectedPdu: 2,
  unrecognizedParameter: 4,
  unexpectedParameter: 5,
  invalidParameter: 6,
} as const
export type AbortReason = (typeof abortReason)[keyof typeof abortReason]

/** The partner broke the protocol: it gets an A-ABORT with this reason. */
export class ProtocolFault extends Error {
  readonly reason: AbortReason

  constructor(reason: keyof typeof abortReason, sentence: string) {
    super(sentence)
    this.name = 'ProtocolFault'
    this.reason = abortReason[reason]
  }
}

/** The association is over: the partner aborted, the line closed, or nothing came for too long. */
export class AssociationOver extends Error {
  readonly kind: 'aborted' | 'closed' | 'idle'

  constructor(kind: AssociationOver['kind'], options?: ErrorOptions) {
    super(`The association is over (${kind}).`, options)
    this.name = 'AssociationOver'
    this.kind = kind
  }
}

/** Reasons of an A-ASSOCIATE-RJ (PS3.8 table 9-21): result, source, reason. */
export const rejections = {
  applicationContext: [1, 1, 2],
  callingTitle: [1, 1, 3],
  calledTitle: [1, 1, 7],
  protocolVersion: [1, 2, 2],
  noReason: [1, 1, 1],
  congestion: [2, 3, 1],
  localLimit: [2, 3, 2],
} as const
export type Rejection = keyof typeof rejections

/** The partner refused the association that was asked for. */
export class AssociationRejected extends Error {
  constructor(codes: readonly number[]) {
    super(`The association was rejected (${codes.join(', ')}).`)
    this.name = 'AssociationRejected'
  }
}
