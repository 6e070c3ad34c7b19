import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { Line } from './line.ts'
import { pdu, pduType } from './pdus.ts'

it('lets others have their turn between short PDUs that came at once [P18, P68]', async () => {
  const count = 640
  const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() })
  socket.push(Buffer.concat(Array.from({ length: count }, () => pdu(pduType.data, Buffer.alloc(6)))))
  const line = new Line(Object.assign(socket, { setNoDelay: () => socket }) as unknown as Socket, 1000)
  let turns = 0
  let isReading = true
  const watch = (): void => {
    turns += 1
    if (isReading) setImmediate(watch)
  }
  setImmediate(watch)
  for (let read = 0; read < count; read += 1) await line.read()
  isReading = false
  expect(turns).toBeGreaterThanOrEqual(count / 32)
  socket.destroy()
})
