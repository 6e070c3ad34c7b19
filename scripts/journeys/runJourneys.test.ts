import { toJourneyEnvironment } from './prepareJourneys.ts'
import { findLeaks, foldersWithNewPictures } from './runJourneys.ts'

const setup = {
  address: 'https://dmp.example',
  browser: '/usr/bin/chromium',
  versions: 'host (1)',
  overrides: 'dmp-overrides=1',
  secretsFile: '/tmp/secrets',
  deploymentFile: '/tmp/deployment.json',
  runFile: '/tmp/run.json',
  recorder: undefined,
  isOwnDemo: false,
}

describe('the environment of the journeys', () => {
  it('names the deployment, its releases, the browser and the file of secrets', () => {
    expect(toJourneyEnvironment(setup)).toMatchObject({
      BASE_URL: 'https://dmp.example',
      E2E_BROWSER: '/usr/bin/chromium',
      E2E_VERSIONS: 'host (1)',
      E2E_OVERRIDES: 'dmp-overrides=1',
      E2E_SECRETS: '/tmp/secrets',
      E2E_DEPLOYMENT: '/tmp/deployment.json',
      E2E_RUN: '/tmp/run.json',
    })
  })

  it('says whether webhooks may reach this machine: where the server is the own one, or somebody says so', () => {
    expect(toJourneyEnvironment(setup).E2E_RECEIVER).toBe('0')
    expect(toJourneyEnvironment({ ...setup, isOwnDemo: true }).E2E_RECEIVER).toBe('1')
  })

  it('asks for videos only where they can be recorded', () => {
    expect(toJourneyEnvironment(setup).E2E_VIDEO).toBe('0')
    const recorder = { PLAYWRIGHT_BROWSERS_PATH: '/tmp/browsers' }
    expect(toJourneyEnvironment({ ...setup, recorder })).toMatchObject({ E2E_VIDEO: '1', ...recorder })
  })
})

describe('pictures that are compressed after a run', () => {
  afterEach(() => {
    delete process.env.E2E_PICTURES
  })

  it('are the accepted looks, and those of a folder that was asked for', () => {
    expect(foldersWithNewPictures(['--grep', '@visual'])).toEqual([])
    expect(foldersWithNewPictures(['--update-snapshots=all'])).toEqual(['e2e/looks'])
    process.env.E2E_PICTURES = 'docs/images'
    expect(foldersWithNewPictures(['--update-snapshots'])).toEqual(['e2e/looks', 'docs/images'])
  })
})

describe('leaks in the log of the server', () => {
  it('are one failure for names of patients and one for secrets, with examples [P23]', () => {
    const log = ['search=anna sample', 'refused DemoPassw0rd!', 'GET /healthz'].join('\n')
    const leaks = findLeaks(log, ['Anna Sample'], ['DemoPassw0rd!'])
    expect(leaks).toEqual([
      "The server's log contains patient names:\nsearch=anna sample",
      "The server's log contains passwords, tokens or codes of the run:\nrefused …",
    ])
  })

  it('are none in a log without either, and a long list is cut short', () => {
    expect(findLeaks('GET /healthz', ['Anna Sample'], ['DemoPassw0rd!'])).toEqual([])
    const many = Array.from({ length: 50 }, (_, n) => `${n} Anna Sample`).join('\n')
    expect(findLeaks(many, ['Anna Sample'], [])[0]?.split('\n')).toHaveLength(11)
  })
})
