import { isIP } from 'node:net'
import { isTitle } from '@dmp/dimse'
import { Stop } from '../stop.ts'

/** A device that may send to this gateway. */
export interface GatewayPartner {
  readonly aeTitle: string
  /** From nowhere else; undefined: from anywhere. */
  readonly address: string | undefined
  /** Where it takes storage commitments, at that address. */
  readonly port: number | undefined
}

/** The gateway for devices that only speak DICOM. */
export interface GatewaySettings {
  readonly aeTitle: string
  readonly port: number
  /** Of this machine; undefined: all of them. */
  readonly host: string | undefined
  readonly partners: readonly GatewayPartner[]
  /** What is left free on the disk. */
  readonly reserveGigabytes: number
}

const mostPartners = 200
const usualReserve = 5
const example =
  '"gateway" should be {"aeTitle": "DMP_GATEWAY", "port": 11112, "partners": [{"aeTitle": "CT_ROOM3", "address": "10.0.0.7"}]}'

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
  return { aeTitle: toTitle(aeTitle, 'The gateway'), port, host, partners: all, reserveGigabytes }
}

function toPartner(value: unknown): GatewayPartner {
  if (typeof value !== 'object' || value === null) throw new Stop(`${example}.`)
  const { aeTitle, address, port, ...rest } = value as Record<string, unknown>
  const title = toTitle(aeTitle, 'A partner of the gateway')
  refuseStrangers(rest, `The partner ${title}`)
  if (address !== undefined && !(typeof address === 'string' && isIP(address) > 0))
    throw new Stop(`The address of the partner ${title} should be a number such as 10.0.0.7; leave it out for any.`)
  if (port !== undefined && !(isPort(port) && address !== undefined))
    throw new Stop(`The port of the partner ${title} should be from 1 to 65535, and needs its address.`)
  return { aeTitle: title, address, port }
}

const isPort = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535

function toTitle(value: unknown, whose: string): string {
  const title = typeof value === 'string' ? value.trim() : ''
  if (isTitle(title)) return title
  throw new Stop(`${whose} needs an AE title of 1 to 16 letters, digits or signs: DMP_GATEWAY.`)
}

function refuseStrangers(rest: object, whose: string): void {
  const [stranger] = Object.keys(rest)
  if (stranger !== undefined) throw new Stop(`${whose} has a setting "${stranger}" that does not exist. ${example}.`)
}
