import { laneNames, type Stage } from './stages.ts'

interface LaneRun {
  readonly run: (stage: Stage) => Promise<void>
  /** Makes what all lanes but those of Jest stand on, once. What cannot be built is said by the stages that need it. */
  readonly build: () => Promise<void>
  readonly lanesAtOnce: number
  /** Calls back whenever there is room for one lane beside those, and returns what ends that. */
  readonly watchRoom?: (begin: () => void) => () => void
}

const unbuilt: readonly string[] = ['jest', 'database']

/** Whether it stands on what is built of the parts. */
export const needsBuild = ({ lane }: Pick<Stage, 'lane'>): boolean => lane !== undefined && !unbuilt.includes(lane)

/**
 * Runs each lane's stages one after the other, and the lanes beside each other: as many as said, and a further one
 * while there is room.
 */
export async function runLanes(
  stages: readonly Stage[],
  { run, build, lanesAtOnce, watchRoom }: LaneRun,
): Promise<void> {
  const waiting = laneNames
    .map((name) => ({ name, stages: stages.filter(({ lane }) => lane === name) }))
    .filter((lane) => lane.stages.length > 0)
  const built = stages.some(needsBuild) ? build().catch(() => undefined) : undefined
  const runNext = async (): Promise<boolean> => {
    const lane = waiting.shift()
    if (!lane) return false
    if (needsBuild({ lane: lane.name })) await built
    for (const stage of lane.stages) await run(stage)
    return true
  }
  let beside: Promise<boolean> | undefined
  const stop = watchRoom?.(() => {
    beside ??= runNext().finally(() => (beside = undefined))
  })
  await Promise.all(
    Array.from({ length: lanesAtOnce }, async () => {
      while (await runNext());
    }),
  )
  stop?.()
  await beside
}
