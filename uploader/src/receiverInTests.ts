import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeStoreResponse } from '@dmp/dicom'

interface Upload {
  readonly length: number
  bytes: Buffer
}

/** A server of STOW-RS and tus that keeps each object as it came, byte by byte, and knows it again by its UID. */
export class Receiver {
  address = ''
  /** In the order in which they came whole. */
  readonly objects: Buffer[] = []
  /** So many bytes of the next piece of a large file are kept, then the line breaks. */
  breakNext: number | undefined
  readonly #heard: Buffer[] = []
  readonly #uploads = new Map<string, Upload>()
  readonly #known = new Map<string, Buffer>()
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response).catch(() => response.destroy())
  })

  /** All that ever came, also of requests that broke off. */
  heard(): Buffer {
    return Buffer.concat(this.#heard)
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', rawHeaders, headers, socket } = request
    this.#heard.push(Buffer.from(`${method} ${url}\n${rawHeaders.join('\n')}\n`))
    const upload = this.#uploads.get(url)
    const body = await this.#read(request, upload)
    if (body === undefined) return void socket.destroy()
    const parts = url === '/dicom-web/studies' ? toParts(body, headers['content-type'] ?? '') : []
    if (parts.length > 0) return this.#store(response, parts)
    if (url === '/api/Scan/uploads') {
      const location = `/api/Scan/uploads/${this.#uploads.size + 1}`
      this.#uploads.set(location, { length: Number(headers['upload-length']), bytes: Buffer.alloc(0) })
      return void response.writeHead(201, { location }).end()
    }
    // Before it sends, the uploader asks with nothing whether it may.
    if (!upload) return void response.writeHead(method === 'POST' ? 400 : 404).end('{}')
    if (method === 'PATCH') upload.bytes = Buffer.concat([upload.bytes, body])
    if (upload.bytes.length === upload.length) return this.#store(response, [upload.bytes])
    response.writeHead(method === 'HEAD' ? 200 : 204, { 'upload-offset': upload.bytes.length }).end()
  }

  /** Undefined where the line breaks in the middle. */
  async #read(request: IncomingMessage, upload: Upload | undefined): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      this.#heard.push(piece)
      pieces.push(piece)
      size += piece.length
      if (!upload || this.breakNext === undefined || size < this.breakNext) continue
      const kept = upload.bytes.length + this.breakNext
      upload.bytes = Buffer.concat([upload.bytes, ...pieces]).subarray(0, kept)
      this.breakNext = undefined
      return undefined
    }
    return Buffer.concat(pieces)
  }

  #store(response: ServerResponse, objects: readonly Buffer[]): void {
    const outcomes = objects.map((object, index) => {
      const [sopClassUID, sopInstanceUID] = [readMeta(object, 2), readMeta(object, 3)]
      const isKnown = this.#known.get(sopInstanceUID)?.equals(object) === true
      this.#known.set(sopInstanceUID, object)
      this.objects.push(object)
      const identity = { sopClassUID, sopInstanceUID, studyUID: '1.2', seriesUID: '1.2.3' }
      return { part: index + 1, outcome: { kind: isKnown ? ('duplicate' as const) : ('stored' as const), ...identity } }
    })
    response.writeHead(200, { 'content-type': 'application/dicom+json' })
    response.end(JSON.stringify(writeStoreResponse(outcomes)))
  }
}

/** A UID of the file meta information, group 0002. */
export function readMeta(object: Buffer, element: number): string {
  const at = object.indexOf(Buffer.from([2, 0, element, 0, 0x55, 0x49]), 132)
  return object.toString('latin1', at + 8, at + 8 + object.readUInt16LE(at + 6)).replace(/\0$/, '')
}

function toParts(body: Buffer, type: string): Buffer[] {
  if (!type.startsWith('multipart/')) return body.length > 0 ? [body] : []
  const delimiter = Buffer.from(`--${/boundary="?([^";]+)/.exec(type)?.[1] ?? ''}`)
  const parts: Buffer[] = []
  for (let at = body.indexOf(delimiter); ;) {
    const next = body.indexOf(delimiter, at + delimiter.length)
    if (next < 0) return parts
    parts.push(body.subarray(body.indexOf('\r\n\r\n', at) + 4, next - 2))
    at = next
  }
}
