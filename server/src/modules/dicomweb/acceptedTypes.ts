import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../core/errors.ts'

/** One form that a client takes (PS3.18 section 8.7). */
export interface AcceptedType {
  /** In small letters: `application/dicom`, `multipart/related`, or with `*`. */
  readonly type: string
  /** Of the parts of a multipart answer. */
  readonly partType?: string
  /** `*` for whatever it is stored in. */
  readonly transferSyntaxUID?: string
}

/** A form that the server can answer in: alone, or as parts. */
export interface OfferedType {
  readonly type: string
  readonly isMultipart: boolean
}

const unquote = (text: string): string => text.replace(/^"|"$/g, '')

/** Splits at a separator that stands outside of quotes. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const pieces: string[] = []
  let isQuoted = false
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted
    if (at < text.length && (isQuoted || text[at] !== separator)) continue
    pieces.push(text.slice(start, at).trim())
    start = at + 1
  }
  return pieces.filter((piece) => piece !== '')
}

function parseAcceptedType(text: string): AcceptedType & { weight: number } {
  const [type = '', ...parameters] = splitOutsideQuotes(text, ';')
  const values = new Map(
    parameters.map((parameter) => {
      const at = parameter.indexOf('=')
      return [parameter.slice(0, at).trim().toLowerCase(), unquote(parameter.slice(at + 1).trim())] as const
    }),
  )
  const weight = Number(values.get('q') ?? 1)
  const partType = values.get('type')?.toLowerCase()
  const transferSyntaxUID = values.get('transfer-syntax')
  return {
    type: type.toLowerCase(),
    ...(partType !== undefined && { partType }),
    ...(transferSyntaxUID !== undefined && { transferSyntaxUID }),
    weight: Number.isFinite(weight) ? weight : 0,
  }
}

/** An address is as long as its line may be, so that this bounds the work and not a client. */
const maxAcceptedTypes = 64

/** What a request accepts, the best first: by its `accept` parameter, or by its header; everything without either. */
export function listAcceptedTypes(request: FastifyRequest): AcceptedType[] {
  const { accept } = request.query as { accept?: unknown }
  const text = [accept ?? request.headers.accept ?? '*/*'].flat().join(',')
  const types = splitOutsideQuotes(text, ',').slice(0, maxAcceptedTypes).map(parseAcceptedType)
  return types
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ weight: _weight, ...type }) => type)
}

const matches = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

function isAccepted({ type, partType }: AcceptedType, offered: OfferedType): boolean {
  if (!offered.isMultipart) return type !== 'multipart/related' && matches(type, offered.type)
  return matches(type, 'multipart/related') && matches(partType ?? '*/*', offered.type)
}

/** The form that this one asks for. The type of the parts alone asks for them where there are only parts. */
export const findOffer = <T extends OfferedType>(accepted: AcceptedType, offers: readonly T[]): T | undefined =>
  offers.find((offer) => isAccepted(accepted, offer)) ??
  offers.find(({ type, isMultipart }) => isMultipart && accepted.type === type)

/** The first form that the client takes, in its own order; 406 when there is none. */
export function chooseType<T extends OfferedType>(request: FastifyRequest, offers: readonly T[]): T {
  for (const accepted of listAcceptedTypes(request)) {
    const offer = findOffer(accepted, offers)
    if (offer) return offer
  }
  throw notAcceptable(offers)
}

export const formatOffer = ({ type, isMultipart }: OfferedType): string =>
  isMultipart ? `multipart/related; type="${type}"` : type

export function notAcceptable(offers: readonly OfferedType[]): Refusal {
  const list = offers.map(formatOffer).join(', or ')
  return new Refusal(406, 'NOT_ACCEPTABLE', `This is not available in any of the accepted formats. Accept ${list}.`)
}
