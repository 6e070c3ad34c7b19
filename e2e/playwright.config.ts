import { defineConfig, devices } from 'playwright/test'
import { overrides } from './support/overrides.ts'

const baseURL = process.env.BASE_URL
/** Started by `npm run e2e`, which has prepared everything; else Playwright was started by hand, or by an editor. */
const isPrepared = process.env.E2E_DEPLOYMENT !== undefined

/** The switches for Debian's Chromium to run as root, and to leave the network alone. */
const quiet = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// A monitor finds a bad release within two minutes, two tries and the release before included.
const mostMs = process.env.E2E_MONITOR === '1' ? 15_000 : undefined

const hasSecondTry = Boolean(process.env.CI)

const isFilmed = process.env.E2E_VIDEO === '1'

export default defineConfig({
  ...(isPrepared ? {} : { globalSetup: './support/startByHand.ts' }),
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Pictures for the documents show, they do not test.
  testIgnore: process.env.E2E_PICTURES ? [] : ['pictures.e2e.ts'],
  outputDir: 'test-results',
  // Pictures are compared on whatever machine; a change of them is accepted with --update-snapshots, never by itself.
  snapshotPathTemplate: '{testDir}/looks/{arg}{ext}',
  updateSnapshots: 'none',
  // A journey that passes only at the second try is reported as flaky.
  retries: hasSecondTry ? 2 : 0,
  fullyParallel: true,
  workers: Number(process.env.E2E_WORKERS ?? 2),
  forbidOnly: Boolean(process.env.CI),
  // Nothing takes as long as that where the machine has time. At a fifth of its pace one look of axe took 15 s, and a
  // journey that is tried again costs more than one that is waited for.
  timeout: 120_000,
  expect: { timeout: mostMs ?? 20_000 },
  reporter: [
    ['list'],
    // Before the HTML report, whose head it fills.
    ['../scripts/journeys/journeyReporter.ts'],
    [
      'html',
      {
        open: 'never',
        outputFolder: 'playwright-report',
        title: `Journeys against ${baseURL ?? 'a demo of their own'}`,
      },
    ],
    // After the HTML report, which empties its folder first.
    ['../scripts/clauses/clauseReporter.ts'],
    ['junit', { outputFile: 'test-results/junit.xml' }],
  ],
  use: {
    baseURL,
    ...(mostMs ? { actionTimeout: mostMs } : {}),
    // As people may have it. A click while a dialog grows goes astray on a machine that draws two frames a second; the
    // journeys in Firefox and WebKit see everything move.
    contextOptions: { reducedMotion: 'reduce' },
    // What is kept in case that it fails takes a quarter of a journey's time, and a film as much again. Where there is
    // a second try, that one is kept.
    trace: {
      mode: hasSecondTry ? 'on-first-retry' : 'retain-on-failure',
      screenshots: isFilmed,
      snapshots: true,
      sources: true,
    },
    // What refuses a release is shown to its team.
    screenshot: hasSecondTry && !process.env.E2E_TRIED ? 'off' : 'only-on-failure',
    video: isFilmed ? 'retain-on-failure' : 'off',
    ignoreHTTPSErrors: false,
    ...(overrides ? { storageState: overrides } : {}),
    launchOptions: { ...(process.env.E2E_BROWSER ? { executablePath: process.env.E2E_BROWSER } : {}), args: quiet },
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@mobile/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
    { name: 'mobile', grep: /@mobile/, use: { ...devices['Pixel 7'], viewport: { width: 360, height: 740 } } },
  ],
})
