import { scan } from '@dmp/contract'
import type { InjectOptions } from 'fastify'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import type { SignedIn, TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

/** Studies `<root>.1` to `<root>.2` of one patient, each with the series `.1` and `.2` of two slices. */
export async function storeStudies(
  server: TestServer,
  who: SignedIn,
  root: string,
  patient: string,
  patientID = `ID-${patient}`,
): Promise<void> {
  const objects = ['1', '2'].flatMap((study) =>
    ['1', '2'].flatMap((series) =>
      ['1', '2'].map((instance) =>
        dicomFile({
          elements: slice({
            '00080018': text('UI', `${root}.${study}.${series}.${instance}`),
            '0020000D': text('UI', `${root}.${study}`),
            '0020000E': text('UI', `${root}.${study}.${series}`),
            '00200013': text('IS', instance),
            '00080060': text('CS', series === '1' ? 'CT' : 'MR'),
            '00081030': text('LO', `Study ${study}`),
            '00100010': text('PN', patient),
            '00100020': text('LO', patientID),
          }),
        }),
      ),
    ),
  )
  const reply = await stow(server, who, objects)
  if (reply.statusCode !== 200) throw new Error(`The studies were not stored: ${reply.body}`)
}

export const tokenOf = (downloadUrl: string): string => downloadUrl.split('/').at(-1) ?? ''

/** A browser of somebody without an account: it keeps its cookies, and has an address of its own. */
export class Stranger {
  readonly #server: TestServer
  readonly #address: string
  readonly #cookies = new Map<string, string>()

  constructor(server: TestServer, address = '10.1.0.1') {
    this.#server = server
    this.#address = address
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get options(): InjectOptions {
    return { headers: { cookie: this.cookie }, remoteAddress: this.#address }
  }

  get = (url: string, headers: Record<string, string> = {}) =>
    this.#server.app.inject({ url, remoteAddress: this.#address, headers: { cookie: this.cookie, ...headers } })

  askForCode = (token: string) => this.#server.call(scan.sendShareCode, { token }, this.options)
  download = (token: string) => this.#server.call(scan.openShared, { token }, this.options)
  watch = (token: string) => this.#server.call(scan.watchShared, { token }, this.options)

  /** Whatever a test looks for: before its secret, a link tells nobody on which days a patient was here (P25). */
  async look(token: string) {
    const reply = await this.#server.call(scan.getShared, { token }, this.options)
    const { opened, hasPassword, codeGoesTo, studies = [] } = reply.data ?? {}
    const isClosed = opened === null && (hasPassword || codeGoesTo !== null)
    if (isClosed && studies.some(({ studyDate }) => studyDate !== ''))
      throw new Error('A link says the day of a study before its secret.')
    return reply
  }

  async visit(token: string, secrets: { password?: string; code?: string } = {}) {
    const reply = await this.#server.call(scan.visitShared, { token, ...secrets }, this.options)
    for (const { name, value } of reply.raw.cookies) this.#cookies.set(name, value)
    return reply
  }
}
