import { tag } from '@dmp/dicom'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { dicomFile, slice, text, u16 } from '../dicom/testing/dicomFile.ts'
import { stowBody } from './stow.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Calls of people at a server that is a process of its own. */
export interface OutsideCalls {
  ask(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<Answered>
  login(email?: string): Promise<Answered>
  /** Headers of somebody who signs in. */
  signIn(email?: string): Promise<Record<string, string>>
  stow(headers: Record<string, string>, objects: readonly Buffer[]): Promise<Answered>
}

const toBody = (body: unknown): Uint8Array<ArrayBuffer> | string | undefined =>
  body === undefined ? undefined : body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)

export function callsAt(url: string): OutsideCalls {
  const ask: OutsideCalls['ask'] = async (method, path, headers = {}, body) => {
    const type = body === undefined || body instanceof Uint8Array ? {} : { 'content-type': 'application/json' }
    const sent = toBody(body)
    const reply = await fetch(url + path, {
      method,
      headers: { ...type, ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
  const login = (email = 'admin@north.example'): Promise<Answered> =>
    ask('POST', '/api/account/login', {}, { ClientId: 'dmp-web', email, password: demoPassword })
  return {
    ask,
    login,
    signIn: async (email) => {
      const { text: said } = await login(email)
      const { data } = JSON.parse(said) as { data?: { accessToken: string } }
      if (!data) throw new Error(`nobody was signed in: ${said}`)
      return { authorization: `Bearer ${data.accessToken}` }
    },
    stow: (headers, objects) => {
      const { payload, headers: type } = stowBody(objects)
      return ask('POST', '/dicom-web/studies', { ...headers, ...type }, payload)
    },
  }
}

const columns = 4096

/** An object of the series `<study>.1`; its pixels take so many bytes, a multiple of 8,192. */
export const objectOf = (study: string, number: number, bytes = 0): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.1.${number}`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
      ...(bytes > 0 && {
        [tag.Rows]: u16(bytes / (2 * columns)),
        [tag.Columns]: u16(columns),
        [tag.PixelData]: { vr: 'OW', value: Buffer.alloc(bytes) },
      }),
    }),
  })
