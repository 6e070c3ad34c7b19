import { examineEngine } from '../workspace/containerEngine.ts'
import { examineMachine } from '../workspace/machine.ts'
import { postgres } from './jestRuns.ts'

export const archive = process.env.TEST_DICOMWEB_URL
export const machine = examineMachine()
export const engine = examineEngine()
export const dciodvfy = process.env.TEST_DCIODVFY ?? ''

/** What the environment does not have, one sentence each. */
export function listUntried(): string[] {
  const untried: [isMissing: boolean, sentence: string][] = [
    [!postgres, 'PostgreSQL was not tried: TEST_DATABASE_URL is not set (.ci/run sets it).'],
    [
      !archive,
      'A DICOM archive, a KMIP service and other software were not tried: TEST_DICOMWEB_URL is not set (.ci/run sets it).',
    ],
    [machine.lacks !== undefined, `Faults of the machine were not tried: ${machine.lacks} (.ci/run has it).`],
    [engine.lacks !== undefined, `The image and compose.yaml were not started: ${engine.lacks} (.ci/run has it).`],
    [!dciodvfy, 'A DICOM validator did not judge the copies: TEST_DCIODVFY is not set (.ci/run sets it).'],
    [
      !process.env.TEST_FIREFOX,
      'Firefox was not tried: TEST_FIREFOX is not set (.ci/run sets it); npm run e2e -- firefox tries it.',
    ],
    [
      !process.env.TEST_WEBKIT,
      'WebKit was not tried: TEST_WEBKIT is not set (.ci/run sets it); npm run e2e -- webkit tries it.',
    ],
    [
      !process.env.TEST_PYTHON,
      'Pictures were not compared with another decoder: TEST_PYTHON is not set (.ci/run sets it).',
    ],
  ]
  return untried.filter(([isMissing]) => isMissing).map(([, sentence]) => sentence)
}
