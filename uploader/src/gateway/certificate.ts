import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import type { GatewayTls } from './gatewaySettings.ts'

/** What the gateway shows to devices over TLS, and by which authority it judges theirs. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  readonly ca: Buffer | undefined
  /** For whoever gives the certificate to the devices. */
  readonly file: string
}

/** SHA-256 of a certificate as it travels: 64 upper-case hexadecimal digits. */
export const fingerprintOf = (certificate: Buffer | undefined): string | undefined =>
  certificate === undefined ? undefined : createHash('sha256').update(certificate).digest('hex').toUpperCase()

/** The one that the settings name, else one of this machine's own, made at first use. Throws what the disk says. */
export function readCertificate(folder: string, settings: GatewayTls): Certificate {
  const { certificateFile, keyFile, authoritiesFile } = settings
  const own = { cert: path.join(folder, 'certificate.pem'), key: path.join(folder, 'key.pem') }
  if (certificateFile === undefined && !(existsSync(own.cert) && existsSync(own.key))) {
    const made = createCertificate(hostname())
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // The certificate last: with it the pair is whole.
    for (const name of ['key', 'cert'] as const) {
      writeFileSync(`${own[name]}.new`, made[name], { mode: 0o600 })
      renameSync(`${own[name]}.new`, own[name])
    }
  }
  const file = certificateFile ?? own.cert
  return {
    cert: readFileSync(file),
    key: readFileSync(keyFile ?? own.key),
    ca: authoritiesFile === undefined ? undefined : readFileSync(authoritiesFile),
    file,
  }
}

const years = 10
const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
const commonName = Buffer.from('0603550403', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')

/** A value of DER: its tag, its length, what is in it. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)

/** RFC 5280 4.1.2.5: two digits of the year until 2049. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

/** A certificate (RFC 5280) that its own key signed: devices are given it, or know it by its fingerprint. */
export function createCertificate(name: string, now = new Date()): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const who = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name.slice(0, 64))))))
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + years)
  // A positive number, of which no two are the same.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)])
  const names = sequence(der(0x82, Buffer.from(name)))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    who,
    // Clocks of devices run behind.
    sequence(time(new Date(now.getTime() - 86_400_000)), time(end)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, names)))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const text = sequence(content, ecdsaWithSha256, signature).toString('base64')
  const lines = Array.from({ length: Math.ceil(text.length / 64) }, (_, at) => text.slice(64 * at, 64 * at + 64))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
