import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { Unreachable } from './answer.ts'
import { ApiToken } from './ApiToken.ts'
import type { Code } from './Control.ts'
import { askForApiToken, endApiToken } from './deviceFlow.ts'
import { Journals, toAccountName, type OtherOrganization } from './Journals.ts'
import { toStateFolder, type Options } from './options.ts'
import { serverAddress } from './settings.ts'
import { assertWritable, findFile, readFile, toKeptFile, writeFile, type Values } from './settingsFile.ts'
import { keepStationName, readStationName } from './stationName.ts'
import { exitCodes, Stop } from './stop.ts'

type Environment = Readonly<Record<string, string | undefined>>

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
/** Where the API token goes; the file need not be there yet, also where it is named. */
const toFile = ({ config, state }: Options): string => config ?? toKeptFile(toStateFolder(state))
/** What is read first, and names a server or an API token of its own. */
const findFirst = ({ config, state }: Options, programFolder: string): string | undefined =>
  config === undefined ? findFile(undefined, programFolder, toStateFolder(state)) : undefined
const read = (file: string | undefined): Values => (file !== undefined && existsSync(file) ? readFile(file) : {})

export interface Heard {
  readonly onCode?: (code: Code) => void
  /** The API token is in its file, and the one before ended: whoever sends with that one goes on with this one. */
  readonly onKept?: () => void
  /** Somebody is asked later whether what lies here is for another organization, and nothing is sent before. */
  readonly isAsking?: boolean
  /** Somebody waits for the code no longer. */
  readonly signal?: AbortSignal
}

/**
 * Gets an API token for this machine and keeps it in the settings file, with the address. One that is still good is
 * renewed: it is ended once the new one is kept, so that this machine can send all the time.
 */
export async function connect(
  options: Options,
  environment: Environment,
  programFolder: string,
  { onCode, onKept, isAsking = false, signal }: Heard = {},
): Promise<void> {
  const server = serverAddress(options.connect ?? '')
  if (environment['UPLOADER_API_TOKEN'])
    throw new Stop('UPLOADER_API_TOKEN is set and would be used instead. Remove it from the environment first.')
  const [file, first] = [toFile(options), findFirst(options, programFolder)]
  const { before, isGood } = await findBefore([read(first), read(file)])
  if (isGood && before?.server.host !== server.host)
    throw new Stop(`This machine is connected to ${before?.server.host}. End that first: dmp-uploader --disconnect`)
  if (options.config === undefined) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  for (const each of new Set([file, first ?? file])) assertWritable(each)
  const { apiToken, name, organization, expires } = await askForApiToken(server, say, {
    ...(onCode && { onCode }),
    ...(signal && { signal }),
    isRenewal: isGood,
    earlierName: readStationName(toStateFolder(options.state)),
  }).catch((cause: unknown) => {
    throw cause instanceof Unreachable
      ? new Stop(`${cause.message} Check the address and the connection.`, exitCodes.notAllSent)
      : cause
  })
  const journals = new Journals(toStateFolder(options.state))
  const account = toAccountName(server, apiToken)
  const other = options.isOtherOrganization ? undefined : journals.findOther(server, organization)
  if (other === undefined) journals.choose(account, server, organization)
  else {
    // One that nobody has answered for has sent nothing yet: it may be replaced.
    const own = isGood && before ? toAccountName(before.server, before.apiToken) : undefined
    const isHeld = own !== undefined && journals.findQuestion(own, server, undefined) === undefined
    if (!isAsking || isHeld) await refuseOther(server, apiToken, other, isHeld)
    journals.ask(account, server, organization, other)
  }
  mkdirSync(toStateFolder(options.state), { recursive: true, mode: 0o700 })
  keepStationName(toStateFolder(options.state), name)
  keep(file, first, { server: server.origin, apiToken })
  say(`Connected to ${organization} as "${name}" until ${expires.toISOString().slice(0, 10)}. It may upload scans.`)
  say(`The API token is in ${file}.`)
  if (read(file).password !== undefined) say('The password in that file is not used any more: remove it.')
  // In this order the server knows the station again: its row goes on once the API token before is ended.
  if (isGood && before !== undefined) await endBefore(before)
  onKept?.()
}

/** Throws a Stop. The API token that came is ended: nobody is to find it in use. */
async function refuseOther(
  server: URL,
  apiToken: string,
  { from, to }: OtherOrganization,
  isGood: boolean,
): Promise<never> {
  await endApiToken(server, apiToken)
  const way = isGood
    ? `It still is: end that first (dmp-uploader --disconnect), or let an administrator of ${from} enter the code.`
    : `To send what it watches and what waits to ${to}: dmp-uploader --connect ${server.origin} --other-organization`
  throw new Stop(`This machine was ${from}'s, and ${to} let it in. Nothing was changed. ${way}`)
}

/** Read once more: somebody may have written into them since. */
function keep(file: string, first: string | undefined, values: Values): void {
  writeFile(file, { ...read(file), ...values })
  if (first === undefined || first === file) return
  const { apiToken, server, email, password, ...others } = read(first)
  if ([apiToken, server, email, password].every((each) => each === undefined)) return
  writeFile(first, others)
  say(`Server and account were taken out of ${first}: they would be used instead.`)
}

interface Before {
  readonly server: URL
  readonly apiToken: string
}

async function endBefore({ server, apiToken }: Before): Promise<void> {
  try {
    await endApiToken(server, apiToken)
    say('The API token before is ended.')
  } catch (cause) {
    if (!(cause instanceof Stop)) throw cause
    say(`The API token before could not be ended: ${cause.message}`)
  }
}

/** What the server refuses may be replaced; of a server that does not respond nobody knows, and the token is good. */
async function findBefore(all: readonly Values[]): Promise<{ readonly before?: Before; readonly isGood: boolean }> {
  const { apiToken, server } = all.find((each) => each.apiToken !== undefined) ?? {}
  if (apiToken === undefined) return { isGood: false }
  if (typeof apiToken !== 'string' || typeof server !== 'string') throw new Stop(unreadable)
  const before = { server: serverAddress(server), apiToken }
  try {
    await new ApiToken(before.server, apiToken).token()
    return { before, isGood: true }
  } catch (cause) {
    return { before, isGood: !(cause instanceof Stop && cause.exitCode === exitCodes.notSignedIn) }
  }
}

const unreadable =
  'The settings file has an API token without its server. End it first under Account > API tokens, and take it out.'

/** Ends the API token of the settings file at the server, then forgets it. */
export async function disconnect(options: Options, programFolder: string): Promise<void> {
  const first = findFirst(options, programFolder)
  const file = first !== undefined && read(first).apiToken !== undefined ? first : toFile(options)
  const { apiToken, ...values } = read(file)
  const server = options.server ?? values.server
  if (typeof apiToken !== 'string' || typeof server !== 'string')
    throw new Stop(`${file} has no API token with its server, so there is nothing to disconnect.`)
  await endApiToken(serverAddress(server), apiToken)
  writeFile(file, values)
  say(`Disconnected: ${serverAddress(server).host} takes the API token no longer, and it is gone from ${file}.`)
}
