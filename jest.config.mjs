import { remotes, web } from './scripts/jest/projects.mjs'

/** Screens and shared browser code. `jest remote-scan` runs one package, `jest -t 3.12` one clause. */
export default {
  // Jest would leave one core free: on two that is half of the machine.
  maxWorkers: '100%',
  projects: ['shared/contract', 'shared/dicom', 'shared/kit', 'host', ...remotes, 'viewer'].map(web),
}
