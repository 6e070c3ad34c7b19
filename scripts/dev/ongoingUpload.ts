import { callsAt, objectOf } from '../../server/src/testing/callsFromOutside.ts'

/** A resumable upload (tus) that goes on, piece after piece, while the server may be away for a moment. */
export interface OngoingUpload {
  /** Sends the rest; returns what went wrong, one sentence each. */
  end(): Promise<string[]>
}

const study = '1.2.826.0.1.3680043.9.71'
const bytes = 64 * 2 ** 20
const pieceBytes = 512 * 1024
const pauseMs = 300
const protocol = { 'tus-resumable': '1.0.0' }

export async function beginUpload(url: string): Promise<OngoingUpload> {
  const calls = callsAt(url)
  const headers = { ...protocol, ...(await calls.signIn('staff@north.example')) }
  const object = objectOf(study, Math.floor(performance.now()), bytes)
  const begun = await calls.ask('POST', '/api/Scan/uploads', {
    ...headers,
    'upload-length': String(object.length),
  })
  if (begun.status !== 201) throw new Error(`The upload did not begin: ${begun.status} ${begun.text}`)
  const place = new URL(begun.headers.get('location') ?? '', url).pathname

  let pause = pauseMs
  const send = async (): Promise<number> => {
    let offset = 0
    for (;;) {
      const reply = await sendPiece(offset).catch(() => undefined)
      if (reply?.status === 201) return reply.status
      // Away, or it still holds the end of a line that broke: it says where to go on.
      const arrived = reply?.status === 204 ? reply : await calls.ask('HEAD', place, headers).catch(() => undefined)
      offset = Number(arrived?.headers.get('upload-offset') ?? offset)
      if (arrived && ![200, 204, 503].includes(arrived.status)) return arrived.status
      await new Promise((next) => setTimeout(next, pause))
    }
  }
  const sendPiece = (offset: number) =>
    calls.ask(
      'PATCH',
      place,
      {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
        accept: 'application/dicom+json',
      },
      object.subarray(offset, offset + pieceBytes),
    )
  const sending = send()
  return {
    end: async () => {
      pause = 0
      const status = await sending
      return status === 201 ? [] : [`The upload that went on meanwhile was answered with ${status}.`]
    },
  }
}
