import { imageViewer } from '../../server/src/core/imageViewer.ts'
import { StartFailure } from '../../server/src/core/StartFailure.ts'
import { findOwnerPid } from '../../server/src/db/folderLock.ts'
import { findPortProblem } from './findPortProblem.ts'
import { buildInLanes } from '../workspace/buildInLanes.ts'
import { buildStale, checkoutStore, dataFolder, listStale, publishBuilt } from '../workspace/builds.ts'
import { staleUploaders } from '../../uploader/targets.ts'
import { buildDemoUploader } from '../workspace/demoUploader.ts'
import { toSentence } from '../workspace/toSentence.ts'
import { listParts } from '../../shared/build/src/workspace.ts'

const uploaderWords = 'the uploader'

/**
 * `npm start`: what the first page needs is built beside the preparing of the database, and everything else when that
 * page can be used.
 */
export async function startDemo(): Promise<void> {
  const problem = await findPortProblem(Number(process.env.PORT || 4000), findOwnerPid(dataFolder()))
  if (problem !== undefined) {
    console.error(problem)
    process.exit(1)
  }
  // Tests start the demo often and have a test of the uploader's making.
  const hasUploader = process.env.DMP_UPLOADER_MEANWHILE !== '0' && staleUploaders().length > 0
  const coming = new Set<string>()
  const until = prepareFirstPage(coming)
  if (hasUploader) coming.add(uploaderWords)
  const { startServer } = await import('../../server/src/startServer.ts')
  await startServer({ until, listComing: () => [...coming] })
  if (coming.size > 0) await finish(coming)
}

async function prepareFirstPage(coming: Set<string>): Promise<void> {
  const stale = listStale()
  if (stale.includes('viewer')) coming.add(imageViewer)
  const names = listParts().map(({ name }) => name)
  try {
    await buildStale(names.filter((name) => name !== 'viewer'))
    await publishBuilt(names.filter((name) => name !== 'viewer' || !coming.has(imageViewer)))
  } catch (error) {
    throw new StartFailure(toSentence(error))
  }
}

async function finish(coming: Set<string>): Promise<void> {
  const count = coming.size
  const say = (words: string): void => {
    coming.delete(words)
    console.log(`Now there: ${words} (${count - coming.size} of ${count}).`)
  }
  console.log(`Still being built while you look around: ${[...coming].join(', ')}.`)
  if (coming.has(imageViewer)) {
    try {
      await buildInLanes(['viewer'], { store: checkoutStore, isMeanwhile: true })
      await publishBuilt(['viewer'])
      say(imageViewer)
    } catch (error) {
      coming.delete(imageViewer)
      console.error(`${toSentence(error)} Mend it, and start again.`)
    }
  }
  if (coming.has(uploaderWords)) {
    await buildDemoUploader()
    say(uploaderWords)
  }
}
