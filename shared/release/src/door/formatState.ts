import type { JudgedRelease, PartState } from '@dmp/contract/releaseDoor'

/** What the platform says of a release, line by line. */
export const formatJudged = ({ findings }: JudgedRelease): string =>
  findings
    .map(
      ({ check: name, passed, says, cure }) =>
        `  ${passed ? '✓' : '✗'} ${name}: ${says}${cure && !passed ? ` → ${cure}` : ''}`,
    )
    .join('\n')

/** What is live of a part, for people. */
export const formatState = (state: PartState): string => {
  const { part, live, canary: running, needsTwoPeople } = state
  return [
    `${part}: ${live === null ? 'not live' : `${live} is live`}`,
    ...(running ? [`  canary ${running.releaseId}, ${formatShare(running)}`] : []),
    ...sayGuest(state),
    ...(needsTwoPeople ? ['  another person than its publisher makes it live'] : []),
  ].join('\n')
}

/** Deployments before contract 1.12 do not say how many are named. */
export function formatShare({ percent, users = 0 }: NonNullable<PartState['canary']>): string {
  const named = users === 0 ? '' : users === 1 ? '1 named person' : `${users} named people`
  return [percent > 0 || users === 0 ? `${percent} %` : '', named].filter(Boolean).join(' and ')
}

/** What becomes of a part that asks to be a guest, or is held as one. */
export function sayGuest({ guest, canary: running }: PartState): string[] {
  const takenBack = "only the platform's team makes it a part of the page again"
  const lines = {
    release: `  a guest: its live release asks for it ("trust" in its remote.json), and later ones stay guests without the word; ${takenBack}`,
    registry: `  a guest, whatever its releases declare: ${takenBack}`,
  }
  return [
    ...(guest === undefined ? [] : [lines[guest]]),
    ...(running?.isGuest && guest === undefined
      ? ['  its canary is a guest for those who get it; once live, the part stays one']
      : []),
  ]
}
