import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { readInstanceBytes } from '../../dicom/instance.ts'

/** An archive of a few lines that can be told to behave badly. */
export class FakeArchive {
  readonly held = new Map<string, Buffer>()
  readonly basic = `Basic ${Buffer.from('dmp:a-secret').toString('base64')}`
  habit: 'good' | 'changes' | 'cuts' | 'never deletes' | 'keeps out' = 'good'
  /** Statuses that it answers before anything else. */
  says: number[] = []
  asked = 0
  authorization: string | undefined
  readonly #server = createServer(async (incoming, reply) => {
    const { status, type, body } = await this.#answer(incoming)
    reply.writeHead(status, { ...(type && { 'content-type': type }) }).end(body)
  })

  /** Listens, and returns the address of its DICOMweb. */
  async listen(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/dicom-web`
  }

  reset(): void {
    this.habit = 'good'
    this.says = []
    this.asked = 0
    this.held.clear()
  }

  close(): void {
    this.#server.close()
  }

  async #answer(incoming: IncomingMessage): Promise<{ status: number; type?: string; body?: Buffer }> {
    this.asked += 1
    const status = this.says.shift()
    if (status !== undefined) return { status }
    this.authorization = incoming.headers.authorization
    if (
      this.habit === 'keeps out' ||
      (this.authorization !== 'Bearer a-secret-token' && this.authorization !== this.basic)
    )
      return { status: 401 }
    const path = incoming.url ?? ''
    // As Orthanc answers beside its DICOMweb.
    if (path === '/tools/lookup')
      return {
        status: 200,
        body: Buffer.from(
          JSON.stringify([
            { ID: 'the-study', Type: 'Study' },
            { ID: 'the-instance', Type: 'Instance' },
          ]),
        ),
      }
    if (path === '/instances/the-instance') return { status: this.held.delete('1.78.1.1') ? 200 : 404 }
    if (incoming.method === 'POST') {
      const body = await buffer(incoming)
      const bytes = body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf('\r\n--'))
      const { sopInstanceUID } = await readInstanceBytes(bytes)
      this.held.set(sopInstanceUID, this.habit === 'changes' ? Buffer.concat([bytes, Buffer.from([0])]) : bytes)
      return { status: 200 }
    }
    if (path.startsWith('/other')) return { status: 200, type: 'text/html', body: Buffer.from('<html>') }
    if (path.endsWith('/studies?limit=1'))
      return { status: 200, type: 'application/dicom+json', body: Buffer.from('[]') }
    const uid = path.split('/').at(-1) ?? ''
    if (incoming.method === 'DELETE')
      return this.habit === 'never deletes' ? { status: 404 } : { status: this.held.delete(uid) ? 204 : 404 }
    const bytes = this.held.get(uid)
    if (!bytes) return { status: 404 }
    const whole = Buffer.concat([
      Buffer.from('--x-y\r\nContent-Type: application/dicom\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--x-y--\r\n'),
    ])
    return {
      status: 200,
      type: 'multipart/related; type="application/dicom"; boundary=x-y',
      body: this.habit === 'cuts' ? whole.subarray(0, -60) : whole,
    }
  }
}
