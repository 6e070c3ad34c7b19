import { types, type PGliteOptions } from '@electric-sql/pglite'

/**
 * Bytes travel as text into and out of PGlite, which by itself turns each of them alone: a header of 18 MB would keep
 * the only connection for seconds (P18, docs/decisions/0076).
 */
export const quickBytes: Required<Pick<PGliteOptions, 'parsers' | 'serializers'>> = {
  // A copy: small buffers share their memory, which would be sent along to other threads.
  parsers: { [types.BYTEA]: (text) => new Uint8Array(Buffer.from(text.slice('\\x'.length), 'hex')) },
  serializers: { [types.BYTEA]: toText },
}

function toText(value: unknown): string {
  if (!(value instanceof Uint8Array)) throw new TypeError('Bytes are written as a Uint8Array.')
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}
