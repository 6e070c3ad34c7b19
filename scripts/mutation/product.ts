import { getPackage, isTest } from '../workspace/importGraph.ts'

const parts = [
  'shared/contract',
  'shared/dicom',
  'shared/dimse',
  'shared/kit',
  'shared/release',
  'shared/bucket',
  'host',
  'viewer',
  'uploader',
  'server',
]
/**
 * Code that runs at customers: no tests and what they stand on, no demo data, no descriptions of tables that only types
 * read.
 */
export const isProduct = (file: string): boolean =>
  (parts.includes(getPackage(file)) || file.startsWith('remote-')) &&
  file.includes('/src/') &&
  !isTest(file) &&
  !/\/(?:testing|examples|migrations|seed)\/|\/demo[A-Z]|InTests\.|\.peers\.|tables\.ts$/.test(file)
