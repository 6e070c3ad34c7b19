import { keep, promoteCanary, rollback, setTrust, stopCanary, type ShownPart } from '@dmp/contract/releaseCalls'
import { formatRelease } from './format.ts'

/** A change of a part's releases that a person is about to make. */
export interface Move {
  readonly kind: 'rollback' | 'promote' | 'stop' | 'keep' | 'endKeeping' | 'distrust' | 'trust'
  readonly part: ShownPart
}

/** The texts and the call of a move's dialog. */
interface MoveDialog {
  readonly title: string
  readonly text: string
  readonly submitLabel: string
  readonly success: string
  readonly call: typeof rollback | typeof promoteCanary | typeof stopCanary | typeof keep | typeof setTrust
  readonly releaseId: string
  readonly isKept?: boolean
  readonly isGuest?: boolean
}

/** Shares of users that a canary grows through, in percent. */
const canarySteps = [1, 10, 50, 100]

const dialogs: Readonly<Record<Move['kind'], (part: ShownPart) => MoveDialog>> = {
  rollback: createRollbackDialog,
  promote: (part) => {
    const percent = canarySteps.find((step) => step > (part.canary?.percent ?? 0)) ?? 100
    return percent === 100 ? createGoLiveDialog(part) : createPromoteDialog(part, percent)
  },
  stop: createStopDialog,
  keep: createKeepDialog,
  endKeeping: createEndKeepingDialog,
  distrust: createDistrustDialog,
  trust: createTrustDialog,
}

export const createMoveDialog = ({ kind, part }: Move): MoveDialog => dialogs[kind](part)

function createRollbackDialog({ title, live, before, isRolledBack }: ShownPart): MoveDialog {
  const previousRelease = before ? formatRelease(before, live) : ''
  if (isRolledBack)
    return {
      title: `Go forward again with ${title}?`,
      text: `${previousRelease} was taken back. Everyone gets it again with the next page they open.`,
      submitLabel: 'Go forward',
      success: `${title} is at ${previousRelease} again`,
      call: rollback,
      releaseId: live.releaseId,
    }
  return {
    title: `Roll back ${title}?`,
    text: `Everyone gets ${previousRelease} with the next page they open. Open pages keep the current release.`,
    submitLabel: 'Roll back',
    success: `${title} rolled back to ${previousRelease}`,
    call: rollback,
    releaseId: live.releaseId,
  }
}

function createGoLiveDialog({ title, canary }: ShownPart): MoveDialog {
  return {
    title: `Promote the canary of ${title}?`,
    text: 'Goes live for everyone and is no longer a canary.',
    submitLabel: 'Make it live',
    success: `The canary of ${title} is live for everyone`,
    call: promoteCanary,
    releaseId: canary?.releaseId ?? '',
  }
}

function createPromoteDialog({ title, canary }: ShownPart, percent: number): MoveDialog {
  return {
    title: `Promote the canary of ${title}?`,
    text: `${percent} % of users get it. Users who have it already keep it.`,
    submitLabel: `Give it to ${percent} %`,
    success: givenText(percent, title),
    call: promoteCanary,
    releaseId: canary?.releaseId ?? '',
  }
}

function createStopDialog({ title, canary }: ShownPart): MoveDialog {
  return {
    title: `Stop the canary of ${title}?`,
    text: 'Users who have it get the live release with the next page they open.',
    submitLabel: 'Stop canary',
    success: `The canary of ${title} was stopped`,
    call: stopCanary,
    releaseId: canary?.releaseId ?? '',
  }
}

function createKeepDialog({ title, live }: ShownPart): MoveDialog {
  return {
    title: `Keep this release of ${title}?`,
    text: 'No server rolls it back automatically, whatever pages report. You can still roll it back yourself.',
    submitLabel: 'Keep it',
    success: `This release of ${title} is kept`,
    call: keep,
    releaseId: live.releaseId,
    isKept: true,
  }
}

function createEndKeepingDialog({ title, live }: ShownPart): MoveDialog {
  return {
    title: `Stop keeping this release of ${title}?`,
    text: 'Servers roll it back automatically again when it fails on pages.',
    submitLabel: 'Stop keeping it',
    success: `This release of ${title} is no longer kept`,
    call: keep,
    releaseId: live.releaseId,
    isKept: false,
  }
}

function createDistrustDialog({ title, live }: ShownPart): MoveDialog {
  return {
    title: `Make ${title} a guest?`,
    text: 'With the next page that people open, it runs in a frame of its own: without their session, and with the calls that it declares alone. Whoever is in it now keeps it as it is. This holds for all of its releases.',
    submitLabel: 'Make it a guest',
    success: `${title} is a guest`,
    call: setTrust,
    releaseId: live.releaseId,
    isGuest: true,
  }
}

function createTrustDialog({ title, live }: ShownPart): MoveDialog {
  return {
    title: `Trust ${title} with people’s sessions?`,
    text: 'With the next page that people open, its code runs in that page and can do everything that they can do. This holds for all of its releases, also those to come.',
    submitLabel: 'Trust it',
    success: `${title} runs in the page again`,
    call: setTrust,
    releaseId: live.releaseId,
    isGuest: false,
  }
}

const givenText = (percent: number, title: string): string => `${percent} % of users get the canary of ${title}`
