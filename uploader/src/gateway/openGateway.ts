import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Control } from '../Control.ts'
import { Log } from '../log.ts'
import { Refusals } from '../Refusals.ts'
import { Gateway } from './Gateway.ts'
import type { GatewaySettings } from './gatewaySettings.ts'

/** What comes together is sent together. */
const wakeAfterMs = 300

/**
 * The gateway of an uploader that runs until it is stopped; what comes is sent at once, and what was refused before is
 * told again.
 */
export async function openGateway(
  stateFolder: string,
  settings: GatewaySettings | undefined,
  control: Control,
): Promise<Gateway> {
  const refused = new Refusals(stateFolder).list()
  for (const { path: place } of refused) {
    const there = await stat(place).catch(() => undefined)
    if (there) await control.progress.series?.know({ path: place, size: there.size, modifiedMs: there.mtimeMs })
  }
  control.progress.refusedBefore(refused)
  const log = new Log(path.join(stateFolder, 'gateway.log'))
  let timer: NodeJS.Timeout | undefined
  const onReceived = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      control.wake()
    }, wakeAfterMs)
  }
  const gateway = new Gateway(stateFolder, onReceived, (sentence) => log.keep(sentence))
  await gateway.use(settings)
  return gateway
}
