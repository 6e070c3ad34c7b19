import { verify } from 'node:crypto'
import * as v from 'valibot'
import { readPublicKey, type Signer } from './keyPair.ts'

const Base64 = v.pipe(v.string('Must be text.'), v.regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Must be base64.'))

/** A DSSE envelope (https://github.com/secure-systems-lab/dsse): a document with signatures over its type and bytes. */
const Envelope = v.object({
  payloadType: v.string('payloadType must be text.'),
  payload: Base64,
  // Each costs a look at the whole payload.
  signatures: v.pipe(
    v.array(v.object({ keyid: v.string('keyid must be text.'), sig: Base64 }), 'signatures is a list.'),
    v.maxLength(100, 'At most 100 signatures.'),
  ),
})

/** What an envelope holds. Nothing in it is to be believed before `isSignedBy` says so. */
export interface Opened {
  readonly value: unknown
  isSignedBy(key: { readonly keyId: string; readonly publicKey: string }): boolean
}

/** Puts a document into an envelope; without a signer it has no signature. */
export function toEnvelope(payloadType: string, value: unknown, signer: Signer | undefined): Buffer {
  const payload = Buffer.from(JSON.stringify(value))
  const signatures = signer
    ? [{ keyid: signer.keyId, sig: signer.sign(encode(payloadType, payload)).toString('base64') }]
    : []
  return Buffer.from(`${JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures }, null, 1)}\n`)
}

/** Opens an envelope of this type; undefined where the content is none. */
export function openEnvelope(payloadType: string, content: Buffer): Opened | undefined {
  const envelope = v.safeParse(Envelope, parseJson(content.toString('utf8')))
  if (!envelope.success || envelope.output.payloadType !== payloadType) return undefined
  const payload = Buffer.from(envelope.output.payload, 'base64')
  const value = parseJson(payload.toString('utf8'))
  if (value === undefined) return undefined
  const signed = encode(payloadType, payload)
  return {
    value,
    isSignedBy: ({ keyId, publicKey }) =>
      envelope.output.signatures.some(
        ({ keyid, sig }) =>
          keyid === keyId && verify(null, signed, readPublicKey(publicKey), Buffer.from(sig, 'base64')),
      ),
  }
}

/** The bytes that are signed (PAE): lengths before the texts, so that no document passes for one of another type. */
const encode = (payloadType: string, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `), payload])

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
