import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request as openRequest, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { StartFailure } from '../core/StartFailure.ts'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import { DoorFile, doorFile, proofHeader, proofOf, stopped } from './operatorDoor.ts'
import type { OperatorCommand, OperatorLine } from './operatorCommands.ts'

/**
 * Has the server that runs on the data folder do it. Returns false when none does: then whoever asks opens the folder
 * itself. A file of a server that was killed leads nowhere, and is as good as none.
 */
export async function askServer(
  dataDir: string,
  command: OperatorCommand,
  input: object,
  hear: (line: OperatorLine) => void,
): Promise<boolean> {
  const door = await findDoor(dataDir)
  if (!door || !(await isServer(door))) return false
  const response = await post(door, command, JSON.stringify(input))
  if (response === undefined) return false
  if (response.statusCode !== 200) {
    response.resume()
    return false
  }
  for await (const text of createInterface({ input: response.on('error', () => undefined) })) {
    const line = JSON.parse(text) as OperatorLine
    if ('end' in line) return true
    if ('failure' in line) throw new StartFailure(...line.failure)
    hear(line)
  }
  throw new StartFailure(stopped)
}

async function findDoor(dataDir: string): Promise<v.InferOutput<typeof DoorFile> | undefined> {
  const text = await readFile(doorFile(dataDir), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), DoorFile), text)
  return parsed.success ? parsed.output : undefined
}

/** However busy a server is, it proves within this time who it is; a stranger may never answer. */
const proofMs = 30_000

/** Whether the other end has the key as well, before it is shown there. */
const isServer = ({ port, key }: v.InferOutput<typeof DoorFile>) =>
  new Promise<boolean>((resolve) => {
    const challenge = randomBytes(32).toString('base64url')
    const signal = AbortSignal.timeout(proofMs)
    const asking = openRequest({ host: '127.0.0.1', port, path: `/proof?challenge=${challenge}`, agent: false, signal })
    asking.once('response', ({ headers }) => {
      resolve(isEqualSecret(String(headers[proofHeader]), proofOf(key, port, challenge)))
      asking.destroy()
    })
    asking.on('error', () => resolve(false))
    asking.end()
  })

const post = ({ port, key }: v.InferOutput<typeof DoorFile>, command: string, body: string) =>
  new Promise<IncomingMessage | undefined>((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const asking = openRequest({ host: '127.0.0.1', port, path: `/${command}`, method: 'POST', headers })
    // Proxies of the environment are not asked: it is this machine.
    asking.once('response', resolve)
    asking.once('error', () => resolve(undefined))
    asking.end(body)
  })
