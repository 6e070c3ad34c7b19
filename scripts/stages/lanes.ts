import { forEachInLanes } from '../../server/src/core/semaphore.ts'
import { laneNames, type Stage } from './stages.ts'

interface LaneRun {
  readonly run: (stage: Stage) => Promise<void>
  /** Makes what all lanes but those of Jest stand on, once. What cannot be built is said by the stages that need it. */
  readonly build: () => Promise<void>
  readonly lanesAtOnce: number
}

const unbuilt: readonly string[] = ['jest', 'database']

/** Whether it stands on what is built of the parts. */
export const needsBuild = ({ lane }: Pick<Stage, 'lane'>): boolean => lane !== undefined && !unbuilt.includes(lane)

/** Runs each lane's stages one after the other, and the lanes beside each other. */
export async function runLanes(stages: readonly Stage[], { run, build, lanesAtOnce }: LaneRun): Promise<void> {
  const lanes = laneNames
    .map((name) => ({ name, stages: stages.filter(({ lane }) => lane === name) }))
    .filter((lane) => lane.stages.length > 0)
  const built = stages.some(needsBuild) ? build().catch(() => undefined) : undefined
  await forEachInLanes(lanesAtOnce, lanes, async (lane) => {
    if (needsBuild({ lane: lane.name })) await built
    for (const stage of lane.stages) await run(stage)
  })
}
