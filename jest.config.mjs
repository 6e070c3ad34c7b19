import { remotes, web } from './scripts/jest/projects.mjs'

/** Screens and shared browser code. `jest remote-scan` runs one package, `jest -t 3.12` one clause. */
export default {
  // A busy machine is no failure: what hangs is found all the same.
  testTimeout: 60_000,
  // Jest would leave one core free: on two that is half of the machine.
  maxWorkers: '100%',
  projects: ['shared/contract', 'shared/dicom', 'shared/kit', 'host', ...remotes, 'viewer'].map(web),
}
