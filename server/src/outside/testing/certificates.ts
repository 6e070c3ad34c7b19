import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** An authority of tests: of the service, of its clients, or a stranger. */
export interface Authority {
  readonly cert: string
  issue(more?: { name?: string; isExpired?: boolean; purpose?: 'serverAuth' | 'clientAuth' }): Promise<Identity>
}
export interface Identity {
  readonly cert: string
  readonly key: string
}

const ec = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const
const day = 86_400_000

export async function createAuthority(name: string): Promise<Authority> {
  const own = await generate([{ name: 'commonName', value: name }], {
    ...ec,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return {
    cert: own.cert,
    issue: async ({ name: subject = 'localhost', isExpired = false, purpose = 'serverAuth' } = {}) => {
      const { cert, private: key } = await generate([{ name: 'commonName', value: subject }], {
        ...ec,
        ca: { key: own.private, cert: own.cert },
        notBeforeDate: new Date(Date.now() - 2 * day),
        notAfterDate: new Date(Date.now() + (isExpired ? -day : day)),
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', [purpose]: true },
          { name: 'subjectAltName', altNames: [{ type: 2, value: subject }] },
        ],
      })
      return { cert, key }
    },
  }
}

/** The files by which a server of tests knows a KMIP service and is known by it. */
export function writeKmipFiles(folder: string, ca: string, { cert, key }: Identity): Record<string, string> {
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  return {
    DMP_KMIP_CERTIFICATE_FILE: write('client.pem', cert),
    DMP_KMIP_KEY_FILE: write('client.key', key),
    DMP_KMIP_CA_FILE: write('ca.pem', ca),
  }
}
