import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { attackAddress, deflatedImage, largeImage, manyItems } from '../../server/src/testing/attackObjects.ts'
import { stowBody } from '../../server/src/testing/stow.ts'

/** How often the attacked server answered with which status; 0 where it did not answer. */
export type Statuses = Record<number, number>

export interface AttackTarget {
  readonly url: string
  readonly token: string
}

interface Attack {
  readonly title: string
  /** Objects that lie there before it begins. */
  readonly objects: () => readonly Buffer[]
  /** Requests under way at the same time. */
  readonly lanes: number
  readonly once: (line: Line, nth: number) => Promise<number>
}

const side = 8000
const [large, bomb, small] = ['1.2.826.0.1.3680043.9.7.1', '1.2.826.0.1.3680043.9.7.2', '1.2.826.0.1.3680043.9.7.3']
const newUid = (): string => `2.25.${BigInt(`0x${randomBytes(12).toString('hex')}`)}`
/** Made once: the attacker of a real server would not make them on its processors. */
const uselessBytes = randomBytes(3 * 2 ** 20)
const gigabytes4 = String(4 * 2 ** 30)

/** What one account, or somebody without one, goes on with; each as it was found to work once. */
export const attacks: Readonly<Record<string, Attack>> = {
  'broken lines': {
    title: 'uploads that break off inside an object',
    objects: () => [],
    lanes: 8,
    once: (line) => line.breakOff(uselessBytes.length),
  },
  'many items': {
    title: '7 kB with 140,000 items, uploaded and searched',
    objects: () => [],
    lanes: 8,
    once: async (line, nth) => {
      if (nth % 2 === 1) return line.send('GET', '/dicom-web/instances?includefield=00081140')
      const { payload, headers } = stowBody([manyItems(newUid())])
      return line.send('POST', '/dicom-web/studies', headers, payload)
    },
  },
  pictures: {
    title: `16 pictures of an image of ${side} × ${side}`,
    objects: () => [largeImage(large, side, side, 7)],
    lanes: 16,
    once: (line, nth) => line.send('GET', `${attackAddress(large)}/rendered?viewport=${1000 + (nth % 1000)},2000`),
  },
  frames: {
    title: 'frames of one series, 200 at once',
    objects: () => [largeImage(small, 64, 64, 7)],
    lanes: 200,
    once: (line) => line.send('GET', `${attackAddress(small)}/frames/1`),
  },
  'deflated bulk': {
    title: '16 reads of 118 kB that inflate to 120 MB',
    objects: () => [deflatedImage(bomb)],
    lanes: 16,
    once: (line, nth) => line.send('GET', attackAddress(bomb) + (nth % 2 === 0 ? '/bulkdata/00100010' : '/frames/1')),
  },
  'garbage tokens': {
    title: 'searches with garbage tokens',
    objects: () => [],
    lanes: 16,
    once: (line) => line.send('GET', '/dicom-web/studies', { authorization: 'Bearer garbage' }),
  },
  'begun uploads': {
    title: 'uploads of 4 GB that only begin',
    objects: () => [],
    lanes: 16,
    once: (line) => line.send('POST', '/api/Scan/uploads', { 'tus-resumable': '1.0.0', 'upload-length': gigabytes4 }),
  },
  'slow readers': {
    title: '300 readers of 128 MB who read nothing',
    objects: () => [largeImage(large, side, side, 7)],
    lanes: 300,
    once: (line) => line.readNothing(`${attackAddress(large)}/frames/1`),
  },
}

/** The attacker's address, as a proxy tells it. */
const from = { 'x-forwarded-for': '203.0.113.7' }
const refusedPauseMs = 50

/** One attacker's requests. */
class Line {
  readonly #target: AttackTarget
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 400 })
  readonly #held = new Set<Socket>()

  constructor(target: AttackTarget) {
    this.#target = target
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<number> {
    return new Promise((resolve) => {
      const sent = request(
        new URL(path, this.#target.url),
        { method, agent: this.#agent, headers: { ...this.#headers(), ...headers } },
        (response) => {
          response.resume()
          response.on('close', () => resolve(response.statusCode ?? 0))
        },
      )
      sent.on('error', () => resolve(0))
      sent.end(body)
    })
  }

  /** A multipart upload whose line breaks in the middle of its first object. */
  breakOff(bytes: number): Promise<number> {
    const head = '--x\r\nContent-Type: application/dicom\r\n\r\n'
    return this.#raw(
      `POST /dicom-web/studies HTTP/1.1\r\nContent-Type: multipart/related; type="application/dicom"; boundary=x\r\n` +
        `Content-Length: ${2 * bytes}\r\n`,
      (socket, done) => {
        socket.write(head)
        socket.write(uselessBytes.subarray(0, bytes), () => {
          socket.destroy()
          done(0)
        })
      },
    )
  }

  /** Asks, and takes nothing of the response; settles when the server gives up. */
  readNothing(path: string): Promise<number> {
    return this.#raw(`GET ${path} HTTP/1.1\r\nAccept: application/octet-stream\r\n`, (socket, done) => {
      socket.once('data', (chunk: Buffer) => {
        socket.pause()
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 0)
        if (status !== 200) done(status)
      })
    })
  }

  end(): void {
    this.#agent.destroy()
    for (const socket of this.#held) socket.destroy()
  }

  #headers(): Record<string, string> {
    return { ...from, authorization: `Bearer ${this.#target.token}` }
  }

  #raw(head: string, act: (socket: Socket, done: (status: number) => void) => void): Promise<number> {
    return new Promise((resolve) => {
      const { hostname, port, host } = new URL(this.#target.url)
      const socket = connect(Number(port), hostname)
      this.#held.add(socket)
      const done = (status: number): void => {
        socket.destroy()
        this.#held.delete(socket)
        resolve(status)
      }
      socket.on('error', () => done(0))
      socket.on('close', () => done(0))
      const headers = Object.entries(this.#headers()).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`${head}Host: ${host}\r\n${headers.join('')}\r\n`)
      act(socket, done)
    })
  }
}

/** Goes on with the attack for so long; who is refused waits a moment, as a program would that wants to get through. */
export async function attack(name: string, target: AttackTarget, seconds: number): Promise<Statuses> {
  const chosen = attacks[name]
  if (!chosen) throw new Error(`${name} is no attack.`)
  const line = new Line(target)
  const statuses: Statuses = {}
  let count = 0
  let isOver = false
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const status = await chosen.once(line, (count += 1))
      if (isOver) return
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 0 || status >= 400) await new Promise((again) => setTimeout(again, refusedPauseMs))
    }
  }
  const lanes = Array.from({ length: chosen.lanes }, lane)
  await new Promise((over) => setTimeout(over, seconds * 1000))
  isOver = true
  line.end()
  await Promise.all(lanes)
  return statuses
}

/** Stores the objects that an attack needs. */
export async function prepareAttack(name: string, target: AttackTarget): Promise<void> {
  const line = new Line(target)
  for (const object of attacks[name]?.objects() ?? []) {
    const { payload, headers } = stowBody([object])
    // A server that refuses such an object has nothing to read later; the attack then meets 404.
    await line.send('POST', '/dicom-web/studies', headers, payload)
  }
  line.end()
}
