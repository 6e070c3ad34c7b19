import { isIP } from 'node:net'
import path from 'node:path'
import { isTitle } from '@dmp/dimse'
import { Stop } from '../stop.ts'

/** A device that may send to this gateway. */
export interface GatewayPartner {
  readonly aeTitle: string
  /** From nowhere else; undefined: from anywhere. */
  readonly address: string | undefined
  /** Where it takes storage commitments, at that address. */
  readonly port: number | undefined
  /** It is known by this certificate (SHA-256), and comes by TLS alone; undefined: by TLS or without. */
  readonly fingerprint?: string | undefined
}

/** A second port, on which devices speak TLS. */
export interface GatewayTls {
  readonly port: number
  /** PEM files, by their whole paths; undefined: the gateway's own. */
  readonly certificateFile: string | undefined
  readonly keyFile: string | undefined
  /** Whoever has no certificate of these authorities is not spoken with. */
  readonly authoritiesFile: string | undefined
}

/** The gateway for devices that only speak DICOM. */
export interface GatewaySettings {
  readonly aeTitle: string
  readonly port: number
  /** Of this machine; undefined: all of them. */
  readonly host: string | undefined
  readonly partners: readonly GatewayPartner[]
  readonly tls: GatewayTls | undefined
  /** What is left free on the disk. */
  readonly reserveGigabytes: number
}

const mostPartners = 200
const usualReserve = 5
const example =
  '"gateway" should be {"aeTitle": "DMP_GATEWAY", "port": 11112, "partners": [{"aeTitle": "CT_ROOM3", "address": "10.0.0.7"}]}'

const tlsExample = '"tls" should be {"port": 2762}, with "certificateFile" and "keyFile" if you have your own'

/** Judges what a settings file, or the window, says. Undefined where there is no gateway. Throws a Stop. */
export function toGateway(value: unknown): GatewaySettings | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw new Stop(`${example}.`)
  const {
    aeTitle,
    port,
    host,
    partners = [],
    reserveGigabytes = usualReserve,
    tls,
    ...rest
  } = value as Record<string, unknown>
  refuseStrangers(rest, 'The gateway')
  if (!isPort(port)) throw new Stop(`The gateway needs a port from 1 to 65535: ${example}.`)
  if (host !== undefined && !(typeof host === 'string' && isIP(host) > 0))
    throw new Stop(
      'The "host" of the gateway should be an address of this machine, such as 10.0.0.2; leave it out for all.',
    )
  if (typeof reserveGigabytes !== 'number' || !(reserveGigabytes >= 0 && reserveGigabytes <= 100_000))
    throw new Stop('The "reserveGigabytes" of the gateway should be a number from 0 to 100000.')
  if (!Array.isArray(partners) || partners.length > mostPartners)
    throw new Stop(`The "partners" of the gateway should be a list of at most ${mostPartners}: ${example}.`)
  const all = partners.map(toPartner)
  const titles = new Set(all.map((partner) => partner.aeTitle))
  if (titles.size < all.length) throw new Stop('Two partners of the gateway have one AE title. Give each its own.')
  const title = toTitle(aeTitle, 'The gateway')
  return { aeTitle: title, port, host, partners: all, reserveGigabytes, tls: toTls(tls, port) }
}

function toTls(value: unknown, plainPort: number): GatewayTls | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw new Stop(`${tlsExample}.`)
  const { port, certificateFile, keyFile, authoritiesFile, ...rest } = value as Record<string, unknown>
  refuseStrangers(rest, 'The "tls" of the gateway', tlsExample)
  if (!isPort(port) || port === plainPort)
    throw new Stop(`The "tls" of the gateway needs a port of its own, from 1 to 65535: ${tlsExample}.`)
  const files = { certificateFile, keyFile, authoritiesFile }
  for (const [name, file] of Object.entries(files))
    if (file !== undefined && !(typeof file === 'string' && path.isAbsolute(file)))
      throw new Stop(`The "${name}" of the gateway should be the whole path of a PEM file.`)
  if ((certificateFile === undefined) !== (keyFile === undefined))
    throw new Stop('The "tls" of the gateway needs "certificateFile" and "keyFile", or neither.')
  return { port, ...(files as Omit<GatewayTls, 'port'>) }
}

function toPartner(value: unknown): GatewayPartner {
  if (typeof value !== 'object' || value === null) throw new Stop(`${example}.`)
  const { aeTitle, address, port, fingerprint, ...rest } = value as Record<string, unknown>
  const title = toTitle(aeTitle, 'A partner of the gateway')
  refuseStrangers(rest, `The partner ${title}`)
  if (address !== undefined && !(typeof address === 'string' && isIP(address) > 0))
    throw new Stop(`The address of the partner ${title} should be a number such as 10.0.0.7; leave it out for any.`)
  if (port !== undefined && !(isPort(port) && address !== undefined))
    throw new Stop(`The port of the partner ${title} should be from 1 to 65535, and needs its address.`)
  if (fingerprint !== undefined && !(typeof fingerprint === 'string' && isFingerprint(fingerprint)))
    throw new Stop(`The fingerprint of the partner ${title} should be the SHA-256 of its certificate, as 64 digits.`)
  return { aeTitle: title, address, port, fingerprint: fingerprint?.replaceAll(':', '').toUpperCase() }
}

/** As openssl and browsers write it, with colons or without. */
const isFingerprint = (text: string): boolean => /^[\da-f]{64}$/i.test(text.replaceAll(':', ''))

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535

function toTitle(value: unknown, whose: string): string {
  const title = typeof value === 'string' ? value.trim() : ''
  if (isTitle(title)) return title
  throw new Stop(`${whose} needs an AE title of 1 to 16 letters, digits or signs: DMP_GATEWAY.`)
}

function refuseStrangers(rest: object, whose: string, instead = example): void {
  const [stranger] = Object.keys(rest)
  if (stranger !== undefined) throw new Stop(`${whose} has a setting "${stranger}" that does not exist. ${instead}.`)
}
