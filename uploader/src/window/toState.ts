import { isNewer } from '../beside.ts'
import { version } from '../version.ts'
import type { WindowWork } from './runWindow.ts'

const shown = 100

/** Everything that the window shows. */
export function toState({ control, settings, gateway }: WindowWork) {
  const { progress, pace, told, server, isPaused, problem, code, folders, account, update } = control
  const { counts, waiting, waitingBytes, isCounting, minutesLeft, bytesPerSecond, failures } = progress
  return {
    isConnected: account !== undefined,
    isPaused,
    /** It has what it needs to sign in, and the server does not answer yet. */
    isWaiting: control.isWaiting,
    problem,
    code,
    update,
    waiting,
    waitingBytes,
    isCounting,
    minutesLeft,
    bytesPerSecond,
    counts,
    failures: failures.slice(0, shown),
    folders,
    gateway: gateway?.state,
    slower: pace.slower,
    isSlowNow: pace.bytesPerSecond !== undefined,
    server: server?.host ?? '',
    account: account ?? '',
    name: settings.name,
    organization: told?.organization ?? '',
    version,
    product: told?.product ?? '',
    offered: isNewer(told?.offered) ? told?.offered : undefined,
  }
}

export type WindowState = ReturnType<typeof toState>
