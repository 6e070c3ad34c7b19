import base from './jest.node.config.mjs'
import { node } from './scripts/jest/projects.mjs'

/** Tests with software that others wrote (Orthanc, dcmtk, gdcm, pydicom, dicomweb-client, tus-js-client, tuspy, unzip,
 * PyKMIP), which .ci/run installs. */
export default {
  ...base,
  projects: ['server', 'uploader'].map((name) => ({ ...node(name), testMatch: ['<rootDir>/**/*.peers.ts'] })),
}
