import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { AwsClient } from 'aws4fetch'

/** The edge of AWS KMS: checks signatures, and encrypts under one key with the context as associated data. */
export class FakeKms {
  readonly #key = randomBytes(32)
  readonly #server: Server
  readonly calls: { action: string; context: unknown }[] = []
  static readonly access = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a-secret-of-tests' }

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '')
    const isSigned = await this.#isSigned(request, body)
    const { KeyId, Plaintext, CiphertextBlob, EncryptionContext } = JSON.parse(body) as Record<string, string>
    this.calls.push({ action, context: EncryptionContext })
    const say = (status: number, answer: object): void => void response.writeHead(status).end(JSON.stringify(answer))
    if (!isSigned) return say(400, { __type: 'InvalidSignatureException' })
    if (KeyId !== 'alias/dmp') return say(400, { __type: 'com.amazonaws.kms#NotFoundException' })
    const context = Buffer.from(JSON.stringify(EncryptionContext))
    if (action === 'Encrypt') {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(context)
      const sealed = [nonce, cipher.update(Plaintext ?? '', 'base64'), cipher.final(), cipher.getAuthTag()]
      return say(200, { KeyId, CiphertextBlob: Buffer.concat(sealed).toString('base64') })
    }
    try {
      const sealed = Buffer.from(CiphertextBlob ?? '', 'base64')
      const cipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, 12)).setAAD(context)
      cipher.setAuthTag(sealed.subarray(-16))
      const plain = Buffer.concat([cipher.update(sealed.subarray(12, -16)), cipher.final()])
      return say(200, { KeyId, Plaintext: plain.toString('base64') })
    } catch {
      return say(400, { __type: 'InvalidCiphertextException' })
    }
  }

  async #isSigned(request: IncomingMessage, body: string): Promise<boolean> {
    const header = (name: string): string => String(request.headers[name])
    const client = new AwsClient({ ...FakeKms.access, service: 'kms', region: 'eu-central-1' })
    const signed = await client.sign(`http://${header('host')}/`, {
      method: 'POST',
      body,
      headers: { 'content-type': header('content-type'), 'x-amz-target': header('x-amz-target') },
      aws: { datetime: header('x-amz-date') },
    })
    return signed.headers.get('authorization') === header('authorization')
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
