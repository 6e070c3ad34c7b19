import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { webJest } from '../../shared/build/jest-web.mjs'

/**
 * Behind UTC, with half hours and summer time: where a day, an hour or a zone is mistaken for another, the tests see
 * another date. The machines that build run on UTC, where all of them look alike.
 */
process.env.TZ = 'America/St_Johns'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const remotes = readdirSync(root)
  .filter((name) => name.startsWith('remote-') && existsSync(join(root, name, 'package.json')))
  .sort()

const nameOf = (folder) => folder.replace('shared/', '')

/** Screens and what they stand on: jsdom, CommonJS, because antd and Testing Library are quickest there. */
export const web = (folder) => ({
  ...webJest(pathToFileURL(join(root, folder, 'jest.config.mjs')).href),
  displayName: nameOf(folder),
})

/** Tests that run in Node itself, with its own modules, as in production. */
export const node = (folder) => ({
  displayName: nameOf(folder),
  rootDir: join(root, folder),
  testEnvironment: join(root, 'scripts/jest/nativeEnvironment.cjs'),
  runtime: join(root, 'scripts/jest/nativeRuntime.cjs'),
  testMatch: ['<rootDir>/**/*.test.ts'],
  // Comparisons with a decoder that is not ours; `.ci/run` installs it and says where it is.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.TEST_PYTHON ? [] : ['\\.reference\\.test\\.ts$']),
    ...(process.env.TEST_MACHINE === '1' ? [] : ['\\.machine\\.test\\.ts$']),
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: {},
  setupFiles: [fileURLToPath(new URL('./nodeSetup.mjs', import.meta.url))],
})
