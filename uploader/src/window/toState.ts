import path from 'node:path'
import { isNewer, toDaysLeft } from '../beside.ts'
import { keyFileName } from '../Copies.ts'
import { canSignIn } from '../settings.ts'
import { version } from '../version.ts'
import type { WindowWork } from './runWindow.ts'

const shown = 100

/** Everything that the window shows. */
export function toState(work: WindowWork) {
  const { control, settings, gateway } = work
  const { progress, pace, told, server, isPaused, problem, unconnected, code, folders, account, update } = control
  const { counts, waiting, waitingBytes, isCounting, minutesLeft, bytesPerSecond, failures } = progress
  // One that the server takes no longer ends at no later day.
  const tokenUntil = account === undefined ? undefined : told?.tokenExpiresDate
  return {
    isConnected: account !== undefined,
    isPaused,
    /** It has what it needs to sign in, and the server does not answer yet. */
    isWaiting: control.isWaiting,
    canSignIn: canSignIn(settings),
    problem,
    problemCode: control.problemCode,
    /** What lies here was another organization's: nothing is sent before somebody says that it may be. */
    question: control.question,
    unconnected,
    code,
    update,
    waiting,
    waitingBytes,
    isCounting,
    /** Nothing is seen that is not sent. */
    isQuiet: progress.isQuiet && progress.copying === 0,
    isSending: progress.isSending,
    arrivedShare: progress.arrivedShare,
    lost: control.lost,
    minutesLeft,
    bytesPerSecond,
    counts,
    series: progress.series?.rows ?? [],
    failures: failures.slice(0, shown),
    folders,
    gateway: gateway?.state,
    keyFile: path.join(settings.stateFolder, keyFileName),
    isDeidentifying: control.isDeidentifying,
    slower: pace.slower,
    isSlowNow: pace.bytesPerSecond !== undefined,
    server: server?.host ?? '',
    address: server?.origin ?? '',
    account: account ?? '',
    tokenHint: account === undefined ? undefined : control.tokenHint,
    /** When the API token ends with which it sends; if that is soon, in how many days. */
    tokenUntil,
    tokenDaysLeft: toDaysLeft(tokenUntil),
    name: settings.name,
    /** Undefined where it runs as a service. */
    installCommand: work.installCommand,
    organization: told?.organization ?? '',
    version,
    product: told?.product ?? '',
    offered: isNewer(told?.offered) ? told?.offered : undefined,
  }
}

export type WindowState = ReturnType<typeof toState>
