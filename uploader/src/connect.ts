import { existsSync } from 'node:fs'
import path from 'node:path'
import { Unreachable } from './answer.ts'
import { ApiToken } from './ApiToken.ts'
import type { Code } from './Control.ts'
import { askForApiToken, endApiToken } from './deviceFlow.ts'
import { Journals, toAccountName } from './Journals.ts'
import { toStateFolder, type Options } from './options.ts'
import { serverAddress } from './settings.ts'
import { assertWritable, findFile, readFile, settingsFileName, writeFile, type Values } from './settingsFile.ts'
import { exitCodes, Stop } from './stop.ts'

type Environment = Readonly<Record<string, string | undefined>>

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
/** The file need not be there yet, also where it is named. */
const toFile = ({ config, state }: Options, programFolder: string): string =>
  config ?? findFile(undefined, programFolder, toStateFolder(state)) ?? path.join(programFolder, settingsFileName)
const read = (file: string): Values => (existsSync(file) ? readFile(file) : {})

/** Gets an API token for this machine and keeps it in the settings file, with the address. */
export async function connect(
  options: Options,
  environment: Environment,
  programFolder: string,
  onCode?: (code: Code) => void,
): Promise<void> {
  const server = serverAddress(options.connect ?? '')
  if (environment['UPLOADER_API_TOKEN'])
    throw new Stop('UPLOADER_API_TOKEN is set and would be used instead. Remove it from the environment first.')
  const file = toFile(options, programFolder)
  if (await hasGoodToken(read(file)))
    throw new Stop(`${file} has an API token already. End it first: dmp-uploader --disconnect`)
  assertWritable(file)
  const { apiToken, name, organization, expires } = await askForApiToken(server, say, {
    ...(onCode && { onCode }),
  }).catch((cause: unknown) => {
    throw cause instanceof Unreachable
      ? new Stop(`${cause.message} Check the address and the connection.`, exitCodes.notAllSent)
      : cause
  })
  new Journals(toStateFolder(options.state)).choose(toAccountName(server, apiToken), server, organization)
  // Read once more: somebody may have written into it since.
  const values = read(file)
  writeFile(file, { ...values, server: server.origin, apiToken })
  say(`Connected to ${organization} as "${name}" until ${expires.toISOString().slice(0, 10)}. It may upload scans.`)
  say(`The API token is in ${file}.`)
  if (values.password !== undefined) say('The password in that file is not used any more: remove it.')
}

/** What the server refuses may be replaced; of a server that does not respond nobody knows, and the token stays. */
async function hasGoodToken({ apiToken, server }: Values): Promise<boolean> {
  if (typeof apiToken !== 'string' || typeof server !== 'string') return apiToken !== undefined
  try {
    await new ApiToken(serverAddress(server), apiToken).token()
    return true
  } catch (cause) {
    return !(cause instanceof Stop && cause.exitCode === exitCodes.notSignedIn)
  }
}

/** Ends the API token of the settings file at the server, then forgets it. */
export async function disconnect(options: Options, programFolder: string): Promise<void> {
  const file = toFile(options, programFolder)
  const { apiToken, ...values } = read(file)
  const server = options.server ?? values.server
  if (typeof apiToken !== 'string' || typeof server !== 'string')
    throw new Stop(`${file} has no API token with its server, so there is nothing to disconnect.`)
  await endApiToken(serverAddress(server), apiToken)
  writeFile(file, values)
  say(`Disconnected: ${serverAddress(server).host} takes the API token no longer, and it is gone from ${file}.`)
}
