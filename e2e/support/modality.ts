import { createConnection } from 'node:net'

const title = (text: string): Buffer => Buffer.from(text.padEnd(16, ' '), 'latin1')

function item(type: number, content: Buffer): Buffer {
  const head = Buffer.from([type, 0, 0, 0])
  head.writeUInt16BE(content.length, 2)
  return Buffer.concat([head, content])
}

/** Verification in implicit little endian: the least that a device proposes (PS3.8 section 9.3.2). */
function toProposal(calledTitle: string, callingTitle: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(16_384)
  const body = Buffer.concat([
    Buffer.from([0, 1, 0, 0]),
    title(calledTitle),
    title(callingTitle),
    Buffer.alloc(32),
    item(0x10, Buffer.from('1.2.840.10008.3.1.1.1')),
    item(
      0x20,
      Buffer.concat([
        Buffer.from([1, 0, 0, 0]),
        item(0x30, Buffer.from('1.2.840.10008.1.1')),
        item(0x40, Buffer.from('1.2.840.10008.1.2')),
      ]),
    ),
    item(0x50, Buffer.concat([item(0x51, length), item(0x52, Buffer.from('1.2.3'))])),
  ])
  const head = Buffer.from([1, 0, 0, 0, 0, 0])
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

export interface Call {
  readonly port: number
  readonly calledTitle: string
  readonly callingTitle: string
}

/** Calls as a modality does: whether it is let in, or why not by its result, source and reason. */
export async function callAsModality({ port, calledTitle, callingTitle }: Call): Promise<string> {
  const socket = createConnection(port, '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  socket.once('data', resolve).once('error', reject)
  socket.once('close', () => reject(new Error('The DICOM node said nothing.')))
  socket.write(toProposal(calledTitle, callingTitle))
  try {
    const answer = await promise
    return answer[0] === 2 ? 'let in' : [...answer.subarray(7, 10)].join(', ')
  } finally {
    socket.destroy()
  }
}
