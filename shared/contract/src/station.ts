import * as v from 'valibot'
import { MachineName, StatusName as TokenStatusName } from './apiToken.ts'
import { endpoint, may } from './endpoint.ts'
import { exact, Instant, maybe, Uuid } from './fields.ts'
import { limits } from './limits.ts'
import { pageQuery } from './paging.ts'
import { versionPattern } from './versions.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

const versionText = () => 'Write a version such as 1.4.0.'
const VersionNumber = v.pipe(v.string(versionText), v.maxLength(20, versionText), v.regex(versionPattern, versionText))

/**
 * Silent: nothing was heard for some time. Failing: files could not be sent and are tried again. Refused: nothing
 * waits, and the server did not take everything.
 */
export const statusNames = ['Idle', 'Sending', 'Paused', 'Failing', 'Refused', 'Silent'] as const
export const StatusName = v.picklist(statusNames, 'This is not a status of a station.')
export type StatusName = v.InferOutput<typeof StatusName>

export const systemNames = ['Windows', 'Linux', 'macOS'] as const
export const SystemName = v.picklist(systemNames, 'Choose Windows, Linux or macOS.')
export type SystemName = v.InferOutput<typeof SystemName>

/** A machine with an uploader. It tells numbers alone: no names of files, no patients. */
export const Station = v.object({
  id: Uuid,
  name: Text,
  status: StatusName,
  version: Text,
  /** The server offers a newer uploader. */
  isOutdated: v.boolean('Yes or no.'),
  system: SystemName,
  /** Files that wait to be sent, and their bytes. */
  waiting: Count,
  waitingBytes: Count,
  /** Files that were stored since the uploader started, were refused and still lie there, and are tried again. */
  sent: Count,
  refused: Count,
  failed: Count,
  organization: Text,
  /** The API token or the account with which it comes. */
  account: Text,
  /** The API token with which it comes; absent for an account, and where the server is of before. */
  tokenId: v.optional(Uuid),
  tokenStatus: v.optional(TokenStatusName),
  tokenExpiresDate: v.optional(Instant),
  /** It sends de-identified copies alone; absent where the server is of before. */
  isDeidentifying: v.optional(v.boolean('Yes or no.')),
  address: maybe(Text),
  firstSeenDate: Instant,
  lastSeenDate: Instant,
})
export type Station = v.InferOutput<typeof Station>

const count = () => `A whole number from 0 to ${limits.stationMostFiles}.`
const Files = v.pipe(
  v.number(count),
  v.integer(count),
  v.minValue(0, count),
  v.maxValue(limits.stationMostFiles, count),
)
const bytes = () => 'A whole number of bytes.'
const Bytes = v.pipe(
  v.number(bytes),
  v.integer(bytes),
  v.minValue(0, bytes),
  v.maxValue(Number.MAX_SAFE_INTEGER, bytes),
)

/** How an uploader is, in its own words. */
export const StationReport = exact({
  /** Made by the uploader when it starts for the first time on this machine. */
  machineId: Uuid,
  name: MachineName,
  version: VersionNumber,
  system: SystemName,
  waiting: Files,
  waitingBytes: Bytes,
  sent: Files,
  refused: Files,
  failed: Files,
  isPaused: v.boolean('Yes or no.'),
  /** Nothing leaves it but de-identified copies. */
  isDeidentifying: v.optional(v.boolean('Yes or no.')),
})
export type StationReport = v.InferOutput<typeof StationReport>

/** What an uploader shows to whoever sits in front of it. */
export const StationAnswer = v.object({
  organization: Text,
  /** Of the product that the server runs. */
  product: Text,
  /** The uploader that the server offers; null where it has none. */
  offered: maybe(Text),
  oldest: Text,
  /** When the API token ends with which it told; absent for an account, and where the server is of before. */
  tokenExpiresDate: v.optional(Instant),
})
export type StationAnswer = v.InferOutput<typeof StationAnswer>

const sortable = ['name', 'status', 'version', 'waiting', 'failed', 'refused', 'organization', 'lastSeenDate'] as const

/** Those of the viewer's organization, the last seen first. The provider's staff see all. */
export const list = endpoint({
  method: 'GET',
  path: '/Station/list',
  summary: 'Machines with an uploader, and how each is.',
  needs: may('Station', 'List'),
  query: exact(pageQuery(sortable)),
  answer: v.array(Station, 'A list.'),
  sortable,
})

/** One that still runs comes back with its next report; to keep it out, end its API token. */
export const remove = endpoint({
  method: 'DELETE',
  path: '/Station/delete/:id',
  summary: 'Take a station off the list, because it is not there any more.',
  needs: may('Station', 'Delete'),
  params: exact({ id: Uuid }),
})

/** About once a minute, with the key with which files are sent. */
export const tell = endpoint({
  method: 'POST',
  path: '/Station/tell',
  summary: 'How an uploader is: queue, errors, version; the answer says what the server offers.',
  needs: may('Scan', 'Upload'),
  isForMachines: true,
  body: StationReport,
  answer: StationAnswer,
})
