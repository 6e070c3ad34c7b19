import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls'
import { operation, reason, tag, type Operation } from '../encryption/kmip/kmipMessage.ts'
import * as ttlv from '../encryption/kmip/ttlv.ts'

interface FakeKey {
  readonly secret: Buffer
  state: number
  mask: number
  algorithm: number
}
class Refused extends Error {
  readonly reason: number

  constructor(number: number) {
    super(`reason ${number}`)
    this.reason = number
  }
}

/**
 * The edge of a KMIP service: one key, AES-GCM with the names beside. What it says can be replaced by anything, so that
 * a test sees what a broken one does. `pykmip.peers.ts` asks a real one the same questions.
 */
export class FakeKmip {
  readonly key: FakeKey = { secret: randomBytes(32), state: 2, mask: 12, algorithm: 3 }
  readonly asked: Operation[] = []
  minor = 4
  offers: readonly Operation[] = ['Encrypt', 'Decrypt', 'Query']
  refusesAllWith: number | undefined
  /** As a service does that knows of no additional data, and looks at no tag. */
  isCareless = false
  leavesOutTag = false
  /** Instead of the answer. */
  say: ((answer: Buffer, socket: TLSSocket) => void) | undefined
  readonly #server: Server
  readonly #sockets = new Set<TLSSocket>()

  constructor(options: TlsOptions) {
    this.#server = createServer({ requestCert: true, rejectUnauthorized: true, ...options }, (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
      socket.on('error', () => undefined)
      socket.on('data', (request: Buffer) => {
        const answer = this.#answer(request)
        if (this.say) this.say(answer, socket)
        else socket.write(answer)
      })
    })
    this.#server.on('tlsClientError', () => undefined)
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #answer(request: Buffer): Buffer {
    const item = ttlv.structureOf(ttlv.decode(request), tag.batchItem)
    const number = ttlv.numberOf(item, tag.operation)
    const name = (Object.keys(operation) as Operation[]).find((known) => operation[known] === number) ?? 'Query'
    this.asked.push(name)
    try {
      if (this.refusesAllWith !== undefined) throw new Refused(this.refusesAllWith)
      const payload = this.#act(name, ttlv.structureOf(item, tag.requestPayload))
      return this.#message(ttlv.enumeration(tag.operation, number), 0, ttlv.structure(tag.responsePayload, ...payload))
    } catch (cause) {
      const why = cause instanceof Refused ? cause.reason : 0x100
      return this.#message(ttlv.enumeration(tag.operation, number), 1, ttlv.enumeration(tag.resultReason, why))
    }
  }

  #message(answered: Buffer, status: number, rest: Buffer): Buffer {
    const header = ttlv.structure(tag.responseHeader, this.#version(this.minor), ttlv.integer(tag.batchCount, 1))
    const item = ttlv.structure(tag.batchItem, answered, ttlv.enumeration(tag.resultStatus, status), rest)
    return ttlv.structure(tag.responseMessage, header, item)
  }

  #version(minor: number): Buffer {
    const [major, last] = [ttlv.integer(tag.protocolVersionMajor, 1), ttlv.integer(tag.protocolVersionMinor, minor)]
    return ttlv.structure(tag.protocolVersion, major, last)
  }

  #act(name: Operation, payload: ttlv.Item): Buffer[] {
    if (name === 'Discover Versions') return [this.#version(this.minor), this.#version(0)]
    if (name === 'Query') return this.offers.map((offered) => ttlv.enumeration(tag.operation, operation[offered]))
    if (ttlv.textIn(payload, tag.uniqueIdentifier) !== 'master') throw new Refused(reason.itemNotFound)
    if (name === 'Get Attributes') return this.#attributes()
    if (this.key.algorithm !== 3) throw new Refused(0x07)
    const isAllowed = (this.key.mask & (name === 'Encrypt' ? 4 : 8)) > 0 && (name === 'Decrypt' || this.key.state === 2)
    if (!isAllowed || !this.offers.includes(name) || this.minor < 4) throw new Refused(reason.permissionDenied)
    return name === 'Encrypt' ? this.#encrypt(payload) : this.#decrypt(payload)
  }

  #attributes(): Buffer[] {
    const { state, mask, algorithm } = this.key
    const item = (name: string, value: Buffer) =>
      ttlv.structure(tag.attribute, ttlv.text(tag.attributeName, name), value)
    return [
      item('State', ttlv.enumeration(tag.attributeValue, state)),
      item('Cryptographic Usage Mask', ttlv.integer(tag.attributeValue, mask)),
      item('Cryptographic Algorithm', ttlv.enumeration(tag.attributeValue, algorithm)),
    ]
  }

  #encrypt(payload: ttlv.Item): Buffer[] {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.key.secret, nonce)
    if (!this.isCareless) cipher.setAAD(ttlv.bytesOf(payload, tag.additionalData))
    const sealed = Buffer.concat([cipher.update(ttlv.bytesOf(payload, tag.data)), cipher.final()])
    const mark = this.leavesOutTag ? [] : [ttlv.bytes(tag.authenticationTag, cipher.getAuthTag())]
    return [ttlv.bytes(tag.data, sealed), ttlv.bytes(tag.iv, nonce), ...mark]
  }

  #decrypt(payload: ttlv.Item): Buffer[] {
    const cipher = createDecipheriv('aes-256-gcm', this.key.secret, ttlv.bytesOf(payload, tag.iv))
    if (!this.isCareless) cipher.setAAD(ttlv.bytesOf(payload, tag.additionalData))
    cipher.setAuthTag(ttlv.bytesOf(payload, tag.authenticationTag))
    const opened = cipher.update(ttlv.bytesOf(payload, tag.data))
    if (!this.isCareless) cipher.final()
    return [ttlv.bytes(tag.data, opened)]
  }
}
