import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { KmipAddress } from '../../../settings/encryption.ts'
import { MasterKeyError } from '../masterKey.ts'
import { createRequest, mostAnswerBytes, readAnswer, tag, type Operation } from './kmipMessage.ts'
import { messageBytes, TtlvError, type Item } from './ttlv.ts'

export interface KmipAccess {
  readonly address: KmipAddress
  readonly certificateFile: string
  readonly keyFile: string
  readonly caFile: string
}

/** Somebody waits for the answer: connecting, greeting and everything that is asked on one line. */
export const kmipWaits = { answerMs: 8000 }

export type Ask = (name: Operation, ...payload: readonly Buffer[]) => Promise<Item>

/**
 * A line of its own for each piece of work, which happens once for each data key. Both sides show a certificate, and
 * nothing is sent before the one of the service was verified.
 */
export async function onLine<T>(access: KmipAccess, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { host, port } = access.address
  const socket = connect({
    host,
    port,
    secureContext: await readContext(access),
    // Node takes its own switch from the environment, too.
    rejectUnauthorized: true,
    ...(isIP(host) === 0 && { servername: host }),
  })
  socket.on('error', () => undefined)
  const timer = setTimeout(() => socket.destroy(new LineError('timeout')), kmipWaits.answerMs)
  try {
    await once(socket, 'secureConnect')
    const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    return await work(async (name, ...payload) => {
      socket.write(createRequest(name, ...payload))
      return readAnswer(name, await readMessage(chunks))
    })
  } catch (cause) {
    throw inSentences(cause, socket, access)
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function readMessage(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let [have, need] = [0, Infinity]
  while (have < need) {
    const { done, value } = await chunks.next()
    if (done) throw have === 0 ? new LineError('ended') : new TtlvError('it breaks off')
    parts.push(value)
    have += value.length
    if (need === Infinity && have >= 8)
      need = messageBytes(Buffer.concat(parts).subarray(0, 8), tag.responseMessage, mostAnswerBytes)
  }
  if (have > need) throw new TtlvError('it goes on after its end')
  return Buffer.concat(parts)
}

/** Read for each line, so that a renewed certificate counts without a restart. */
async function readContext({ certificateFile, keyFile, caFile }: KmipAccess): Promise<SecureContext> {
  const [cert, key, ca] = await Promise.all([
    readPem(certificateFile, 'DMP_KMIP_CERTIFICATE_FILE'),
    readPem(keyFile, 'DMP_KMIP_KEY_FILE'),
    readPem(caFile, 'DMP_KMIP_CA_FILE'),
  ])
  try {
    return createSecureContext({ cert, key, ca, minVersion: 'TLSv1.2' })
  } catch (cause) {
    throw new MasterKeyError(
      `The files of DMP_KMIP_CERTIFICATE_FILE, DMP_KMIP_KEY_FILE and DMP_KMIP_CA_FILE do not fit together (${codeOf(cause)}). Set three PEM files: a certificate, the key that belongs to it, without a passphrase, and the certificate of the authority of the service.`,
    )
  }
}

async function readPem(file: string, setting: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new MasterKeyError(
      `The file ${file} of ${setting} cannot be read (${codeOf(cause)}). Make it readable for the server's user, and a key for no other.`,
    )
  }
}

class LineError extends Error {
  readonly code: string

  constructor(code: 'timeout' | 'ended') {
    super(code)
    this.code = code
  }
}

const noCode = 'no code'
const codeOf = (cause: unknown): string => String((cause as { code?: unknown }).code ?? noCode)

function inSentences(cause: unknown, socket: TLSSocket, { address }: KmipAccess): unknown {
  if (cause instanceof MasterKeyError) return cause
  const service = `The key management service at ${address.host}:${address.port}`
  const say = (sentence: string): MasterKeyError => new MasterKeyError(`${service} ${sentence}`, { cause })
  if (cause instanceof TtlvError)
    return say(`gave an answer that is not KMIP: ${cause.message}. Correct DMP_KMIP_ADDRESS, or look into its log.`)
  const code = codeOf(cause)
  // Ours to judge, and set only when the certificate of the service did not pass.
  if (socket.authorizationError)
    return say(
      `shows a certificate that does not pass (${code}), so nothing was sent to it. Put the certificate of its authority into DMP_KMIP_CA_FILE, set DMP_KMIP_ADDRESS to a name that its certificate holds, or renew that certificate.`,
    )
  if (/^ERR_SSL_.*PROTOCOL/.test(code))
    return say(`has no version of TLS in common with this server (${code}). Allow TLS 1.2 or 1.3 there.`)
  if (/^ERR_SSL_.*ALERT/.test(code))
    return say(
      `refuses the certificate of DMP_KMIP_CERTIFICATE_FILE (${code}). Let it know the authority that issued it, or renew it.`,
    )
  if (code.startsWith('ERR_SSL_'))
    return say(`does not speak TLS (${code}). Correct DMP_KMIP_ADDRESS: the port of KMIP is 5696 in most places.`)
  if (['ended', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code))
    return say(
      'ended the connection without an answer. Look into its log: it may not know the certificate of DMP_KMIP_CERTIFICATE_FILE.',
    )
  // Without a code it is a fault of this code, and no sentence may hide it.
  return code === noCode ? cause : say(`does not respond (${code}). Start it, or correct DMP_KMIP_ADDRESS.`)
}
